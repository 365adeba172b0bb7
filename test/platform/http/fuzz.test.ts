// About 2,000 seeded random requests, and bytes that are almost HTTP. Every answer is documented
// and in time, a refusal writes nothing, and no process breaks.
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { PROBLEMS } from '../../../src/platform/errors.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { until } from '../../support/processes.js';
import { exchange, statusOf } from '../../support/raw.js';
import { describeMode } from '../../support/suite.js';
import { secondWeb } from '../../support/web.js';

const SEED = 20261120;
const ROUNDS = 50;
const REQUESTS_PER_ROUND = 40;
const DEADLINE_MS = 5_000;

interface Spec {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly replayed: boolean;
  readonly text: string;
}

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e-7,
  1e21,
  2 ** 53 + 1,
  5e-324,
  0.0001,
  1.00005,
  1e9,
  999999999.9999,
);
const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000',
    '\ud800',
    '\u202eabc',
    '\ufeff',
    '\ufffd',
    '\u2028',
    'x'.repeat(256),
  ),
  fc.constantFrom(
    '🧾',
    'é',
    'e\u0301',
    'ﬁ',
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T00:00:00Z',
    '1e3',
    'NaN',
    "' OR 1=1 --",
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const odd = fc.oneof(
  oddNumber,
  oddText,
  fc.constantFrom(null, true, false, [], {}, [[]], { __proto__: null }),
  fc.jsonValue(),
);

/** A valid body in which some fields have other values or some are added. */
function mutated(
  fields: readonly string[],
  base: (changes: Record<string, unknown>) => object,
): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom(...fields),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'id', ''),
  );
  return fc.dictionary(name, odd, { maxKeys: 3 }).map(changes => JSON.stringify(base(changes)));
}

const invoiceBody = fc.oneof(
  mutated(['customerName', 'date', 'items', 'reference'], changes => invoiceRequest(changes)),
  mutated(['name', 'qty', 'price', 'sku'], changes =>
    invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 2, ...changes }] }),
  ),
);
const adjustmentBody = fc.oneof(
  mutated(['reason', 'reference', 'note', 'items'], changes => ({
    reason: 'received',
    items: [{ name: 'Pipe', delta: 1 }],
    ...changes,
  })),
  mutated(
    [
      'name',
      'sku',
      'itemId',
      'delta',
      'count',
      'expectedOnHand',
      'reorderPoint',
      'unitCost',
      'unitPrice',
      'unit',
    ],
    changes => ({ reason: 'count', items: [{ name: 'Pipe', count: 1_000, ...changes }] }),
  ),
);
const rawBody = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  fc.constantFrom(
    '1e400',
    '[-1e400]',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '['.repeat(5_000),
    '{"items":'.repeat(40),
    'NaN',
    '"\\ud800"',
  ),
  fc.constant(`{"items":[${'{},'.repeat(2_000)}{}]}`),
);

const queryName = fc.constantFrom(
  'limit',
  'cursor',
  'from',
  'to',
  'customerName',
  'reference',
  'number',
  'low',
  'sku',
  'name',
  'x',
  '',
);
const queryValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '201',
    '99999999999999999999',
    'true',
    '2026-11-20',
    '%',
    '%zz',
    '%00',
    '%ff',
    '%F0%9F%A7%BE',
  ),
  fc.constantFrom('AAAAAAAAAAAAAAAAAAAA', 'W10', '1&limit=2', 'a=b=c', '+', ';'),
  fc
    .string({ unit: 'binary', maxLength: 50 })
    .map(text => encodeURIComponent(text.replace(/\p{Cs}/gu, ''))),
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 3 })
  .map(pairs => (pairs.length === 0 ? '' : `?${pairs.map(pair => pair.join('=')).join('&')}`));

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('/summary', '/invoices', '/inventory', '/inventory/adjustments'),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('/invoices/', '/jobs/'),
        fc.oneof(
          fc.uuid(),
          fc.constantFrom('', '%00', '%zz', '..', 'null', '%2e%2e%2f', 'x'.repeat(3_000)),
        ),
      )
      .map(parts => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '/', '//', '/%ff', '/invoices//', '/Invoices', '/summary;a=b'),
  },
);

const headerValue = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map(code => String.fromCharCode(code)),
    maxLength: 40,
  }),
  fc.string({
    unit: fc.integer({ min: 0xa0, max: 0xff }).map(code => String.fromCharCode(code)),
    maxLength: 10,
  }),
);
const headers = fc.record(
  {
    accept: fc.oneof(
      fc.constantFrom(
        '*/*',
        'application/json',
        'text/html',
        'application/*;q=0',
        ',,;',
        'a/b;q=x',
      ),
      headerValue,
    ),
    'accept-encoding': fc.oneof(
      fc.constantFrom('br', 'gzip;q=0.5', '*;q=0', 'br;q=9'),
      headerValue,
    ),
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/json',
        'application/json;charset=utf-16',
        'text/plain',
        'json',
      ),
      headerValue,
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity', ''),
    prefer: fc.oneof(
      fc.constantFrom(
        'respond-async',
        'wait=0',
        'wait=1',
        'wait=-1',
        'wait=x, respond-async;a="b,c"',
      ),
      headerValue,
    ),
    'idempotency-key': fc.oneof(
      fc.constantFrom('one', 'two', '', 'a b', 'x'.repeat(256)),
      headerValue,
    ),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"', 'W/"a"', '"a","b'), headerValue),
    'x-request-id': headerValue,
    'x-forwarded-proto': headerValue,
    'x-forwarded-host': headerValue,
    authorization: headerValue,
    'x-api-key': fc.oneof(fc.constantFrom('', 'tpk_wrong'), headerValue),
    cookie: headerValue,
    range: fc.constant('bytes=0-1'),
  },
  { requiredKeys: [] },
);

const spec: fc.Arbitrary<Spec> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      method: fc.constantFrom(
        'GET',
        'GET',
        'HEAD',
        'OPTIONS',
        'PUT',
        'PATCH',
        'DELETE',
        'POST',
        'TRACE',
        'PROPFIND',
      ),
      path: fc.tuple(path, query).map(parts => parts.join('')),
      headers,
      body: fc.option(rawBody, { nil: undefined, freq: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: writeSpec(
      '/invoices',
      fc.oneof({ weight: 3, arbitrary: invoiceBody }, { weight: 1, arbitrary: rawBody }),
    ),
  },
  {
    weight: 2,
    arbitrary: writeSpec(
      '/inventory/adjustments',
      fc.oneof({ weight: 3, arbitrary: adjustmentBody }, { weight: 1, arbitrary: rawBody }),
    ),
  },
);

function writeSpec(to: string, body: fc.Arbitrary<string | Buffer>): fc.Arbitrary<Spec> {
  const plain = fc.record(
    { prefer: fc.constantFrom('wait=5', 'wait=10', 'respond-async') },
    { requiredKeys: [] },
  );
  return fc.record({
    method: fc.constant('POST'),
    path: fc.constant(to),
    headers: fc.oneof(
      { weight: 3, arbitrary: plain },
      { weight: 1, arbitrary: headers },
    ) as fc.Arbitrary<Record<string, string>>,
    body,
  });
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
  let base: string;
  /** Other tests cause errors on purpose. */
  let logStart = 0;
  before(async () => {
    logStart = stack().web.output().length;
    company = await makeCompany(stack());
    base = await secondWeb(stack());
    await receive(company, { name: 'Pipe', delta: 1_000 });
  });

  it('gets a documented answer in time, and a refusal writes nothing', async function () {
    this.timeout(60_000);
    let invoices = 0;
    let adjustments = 1;
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(spec, { minLength: REQUESTS_PER_ROUND, maxLength: REQUESTS_PER_ROUND }),
        async specs => {
          const answers = await Promise.all(specs.map(one => call(base, company.key, one)));
          answers.forEach((answer, at) => {
            const sent = specs[at] as Spec;
            checkAnswer(sent, answer);
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            if (answer.status !== 201 || answer.replayed) return;
            if (sent.path.startsWith('/invoices')) invoices += 1;
            else adjustments += 1;
          });
        },
      ),
      { seed: SEED, numRuns: ROUNDS, endOnFailure: true },
    );
    // Writes that were accepted with 202 are counted once they have finished.
    const settled = async () =>
      (
        await stack().sql(`SELECT 1 FROM jobs WHERE company_id = $1 AND status = 'queued'`, [
          company.companyId,
        ])
      ).length === 0;
    await until('nothing is queued', settled);
    const [written] = await stack().sql<Record<string, string>>(
      `SELECT (SELECT count(*) FROM invoices WHERE company_id = $1) AS invoices,
         (SELECT count(*) FROM adjustments WHERE company_id = $1) AS adjustments,
         (SELECT count(*) FROM jobs WHERE company_id = $1 AND status = 'succeeded') AS succeeded`,
      [company.companyId],
    );
    const accepted = statuses.get(202) ?? 0;
    expect(Number(written?.invoices) - invoices).to.be.within(0, accepted);
    expect(Number(written?.adjustments) - adjustments).to.be.within(0, accepted);
    expect(Number(written?.invoices) + Number(written?.adjustments)).to.equal(
      Number(written?.succeeded),
    );
    for (const status of [200, 201, 202, 204, 400, 401, 404, 405, 406, 415, 422])
      expect(statuses.get(status) ?? 0, `${status} occurred`).to.be.above(0);
  });

  it('that is almost HTTP is answered or closed, and breaks nothing', async function () {
    this.timeout(30_000);
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
      { seed: SEED, numRuns: 20, endOnFailure: true },
    );
    expect((await company.get('/summary')).status).to.equal(200);
    expect(stack().web.output().slice(logStart)).not.to.match(/"level":(50|60)/u);
  });
});
