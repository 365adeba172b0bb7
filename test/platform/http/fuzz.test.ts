// About 2,000 seeded random requests, and bytes that are almost HTTP. Every answer is documented
// and in time, a refusal writes nothing, an accepted write never fails by a defect, and no process
// logs an error.
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { PROBLEMS } from '../../../src/platform/errors.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { type RunningProcess, until } from '../../support/processes.js';
import { exchange, statusOf } from '../../support/raw.js';
import { describeMode } from '../../support/suite.js';
import { casesOf } from '../../support/tier.js';
import { secondWebProcess } from '../../support/web.js';
import {
  anyRequest,
  BATCH_PATH,
  extremeAdjustment,
  HIGH,
  LOW,
  MAX_DELTA,
  type Spec,
} from './fuzz-requests.js';

const SEED = 20261120;
const ROUNDS = 50;
const REQUESTS_PER_ROUND = 40;
/** Longer than any request asks to wait, even on a busy host. */
const DEADLINE_MS = 30_000;
/** Longer than a job takes that fails in each attempt. */
const SETTLE_MS = 40_000;
/** Entries of the largest quantity that bring an item from zero to a limit of stock. */
const ENTRIES_TO_LIMIT = 100;

/** A log line's level. */
const ERROR = 50;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly replayed: boolean;
  readonly text: string;
}

function call(
  base: string,
  key: string,
  { method, path: target, headers: given, body }: Spec,
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const all = {
    'x-api-key': key,
    // One address per request, so that refused keys do not lead to 429.
    'x-forwarded-for': `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...given,
  };
  return new Promise((resolve, reject) => {
    const options = {
      hostname,
      port,
      method,
      path: `/api/external${target}`,
      headers: all,
      timeout: DEADLINE_MS,
    };
    const outgoing = httpRequest(options, incoming => {
      let text = '';
      incoming.setEncoding('latin1').on('data', chunk => {
        text += chunk;
      });
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          type: incoming.headers['content-type'] ?? '',
          replayed: incoming.headers['idempotency-replayed'] === 'true',
          text: incoming.headers['content-encoding'] === undefined ? text : '',
        }),
      );
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${DEADLINE_MS} ms`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function checkAnswer({ method, path: target }: Spec, { status, type, text }: Answer): void {
  if (status < 400) {
    expect([200, 201, 202, 204, 304], `${method} ${target}`).to.include(status);
    return;
  }
  expect(status, text).to.be.below(500);
  expect(type).to.equal('application/problem+json');
  if (text === '') return;
  const problem = JSON.parse(Buffer.from(text, 'latin1').toString());
  expect(problem.status).to.equal(status);
  expect(PROBLEMS[problem.code as keyof typeof PROBLEMS]?.[0], problem.code).to.equal(status);
  expect(problem).to.include.all.keys('type', 'title', 'detail', 'instance', 'requestId');
}

describeMode('postgres', 'any request', stack => {
  let company: TestCompany;
  let web: RunningProcess;
  let base: string;
  /** Each process with the length of its log so far: other tests cause errors on purpose. */
  let logs: { readonly process: RunningProcess; readonly start: number }[];
  before(async () => {
    company = await makeCompany(stack(), { allowNegativeStock: true });
    web = await secondWebProcess(stack());
    base = `http://127.0.0.1:${web.port}`;
    logs = [stack().web, web].map(process => ({
      process,
      start: process.output().length,
    }));
    await receive(company, { name: 'Pipe', delta: 1_000 });
  });

  /** No write that was accepted has failed by a defect, and no process has logged an error. */
  async function expectNoFailure(): Promise<void> {
    const ofCompany = (condition: string) =>
      stack().sql(
        `SELECT id, type, status, error, payload FROM jobs WHERE company_id = $1 AND ${condition}`,
        [company.companyId],
      );
    const isSettled = async () => (await ofCompany(`status = 'queued'`)).length === 0;
    await until('nothing is queued', isSettled, SETTLE_MS);
    const hasFailed = `status = 'failed' AND (payload IS NOT NULL OR error->>'status' >= '500')`;
    expect(await ofCompany(hasFailed)).to.deep.equal([]);
    const errors = logs.flatMap(({ process, start }) =>
      errorsIn(process.output().slice(start), company.companyId),
    );
    expect(errors.join('\n')).to.equal('');
  }

  it('gets a documented answer in time, and a refusal writes nothing', async () => {
    let invoices = 0;
    let adjustments = 1;
    let inBatches = 0;
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: REQUESTS_PER_ROUND, maxLength: REQUESTS_PER_ROUND }),
        async specs => {
          const answers = await Promise.all(specs.map(one => call(base, company.key, one)));
          answers.forEach((answer, at) => {
            const sent = specs[at] as Spec;
            checkAnswer(sent, answer);
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            if (sent.path === BATCH_PATH && answer.status === 200)
              inBatches += JSON.parse(String(sent.body)).invoices.length;
            if (answer.status !== 201 || answer.replayed) return;
            if (sent.path.startsWith('/invoices')) invoices += 1;
            else adjustments += 1;
          });
        },
      ),
      { seed: SEED, numRuns: ROUNDS, endOnFailure: true },
    );
    // Writes that were accepted with 202 are counted once they have finished.
    await expectNoFailure();
    const [written] = await stack().sql<Record<string, string>>(
      `SELECT (SELECT count(*) FROM invoices WHERE company_id = $1) AS invoices,
         (SELECT count(*) FROM adjustments WHERE company_id = $1) AS adjustments,
         (SELECT count(*) FROM jobs WHERE company_id = $1 AND status = 'succeeded') AS succeeded`,
      [company.companyId],
    );
    const accepted = statuses.get(202) ?? 0;
    expect(inBatches).to.be.above(0);
    expect(Number(written?.invoices) - invoices).to.be.within(0, accepted + inBatches);
    expect(Number(written?.adjustments) - adjustments).to.be.within(0, accepted);
    expect(Number(written?.invoices) + Number(written?.adjustments)).to.equal(
      Number(written?.succeeded),
    );
    for (const status of [200, 201, 202, 204, 400, 401, 404, 405, 406, 415, 422])
      expect(statuses.get(status) ?? 0, `${status} occurred`).to.be.above(0);
  });

  it('that is almost HTTP is answered or closed, and breaks nothing', async () => {
    const body = JSON.stringify(invoiceRequest());
    const whole = Buffer.from(
      [
        'POST /api/external/invoices?x=1 HTTP/1.1',
        'Host: localhost',
        `x-api-key: ${company.key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      cut: fc.nat(3),
      put: fc.uint8Array({ maxLength: 3 }),
    });
    const port = Number(new URL(base).port);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), {
          minLength: 10,
          maxLength: 10,
        }),
        async cases => {
          await Promise.all(
            cases.map(async changes => {
              let bytes = whole;
              for (const { at, cut, put } of changes)
                bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
              const text = await exchange(port, bytes, DEADLINE_MS, true);
              if (text !== '')
                expect([400, 401, 404, 405, 408, 413, 415, 422, 429, 431], text).to.include(
                  statusOf(text),
                );
            }),
          );
        },
      ),
      { seed: SEED, numRuns: casesOf(20), endOnFailure: true },
    );
    expect((await company.get('/summary')).status).to.equal(200);
    await expectNoFailure();
  });

  it('that moves stock from one limit towards the other is done or refused', async () => {
    const toLimit = (name: string, sign: 1 | -1) => [
      { name, count: 0 },
      ...Array.from({ length: ENTRIES_TO_LIMIT - 1 }, () => ({ name, delta: sign * MAX_DELTA })),
      { name, delta: sign * (MAX_DELTA - 0.0001) },
    ];
    const limits = { reason: 'count', items: [...toLimit(LOW, -1), ...toLimit(HIGH, 1)] };
    await fc.assert(
      fc.asyncProperty(fc.array(extremeAdjustment, { minLength: 4, maxLength: 4 }), async specs => {
        expect((await company.post('/inventory/adjustments', limits)).status).to.equal(201);
        const answers = await Promise.all(specs.map(spec => call(base, company.key, spec)));
        expect(answers.map(({ status }) => status)).to.deep.equal(specs.map(() => 202));
      }),
      { seed: SEED, numRuns: casesOf(25), endOnFailure: true },
    );
    await expectNoFailure();
  });
});

/**
 * The log lines of level error and above, and those that are not JSON. Without those of other
 * companies: jobs of earlier tests may still be retried.
 */
function errorsIn(log: string, companyId: string): string[] {
  return log.split('\n').filter(line => {
    if (line === '' || !line.startsWith('{')) return line !== '';
    const event = JSON.parse(line) as { level: number; companyId?: string };
    return event.level >= ERROR && (event.companyId ?? companyId) === companyId;
  });
}
