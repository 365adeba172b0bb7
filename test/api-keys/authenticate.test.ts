// Authentication by API key, on every web process.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Context } from 'koa';
import type pg from 'pg';
import { createAuthenticate } from '../../src/api-keys/authenticate.js';
import { hashKey, keyId, makeKey } from '../../src/api-keys/key.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Problem } from '../../src/platform/errors.js';
import { createLog } from '../../src/platform/process/log.js';
import { type Response, send } from '../support/client.js';
import { runAdmin } from '../support/commands.js';
import { addKey, invoiceRequest, makeCompany } from '../support/factories.js';
import { startProcess, until } from '../support/processes.js';
import { describeMode, inBothModes, openForTests } from '../support/suite.js';
import { secondWeb } from '../support/web.js';
import { answerWithinASecond } from '../support/within-a-second.js';

const PATH = '/api/external/invoices';

describeMode('postgres', 'a request without a usable key', stack => {
  const get = (headers: Record<string, string | string[]>, path = PATH) =>
    send(stack().baseUrl, 'GET', path, { headers });
  const refusal = ({ status, body }: Response) => [status, body.code];

  it('is 401 missing_api_key with a challenge, before 404, 405 and 406', async () => {
    for (const [method, path] of [
      ['GET', '/api/external/invoices'],
      ['GET', '/api/external'],
      ['GET', '/api/external/'],
      ['GET', '/api/external/nothing'],
      ['DELETE', '/api/external/invoices'],
      ['OPTIONS', '/api/external/invoices'],
      ['POST', '/api/external/invoices'],
      ['GET', '/api/external/invoices/'],
      ['GET', '/api/external/%zz'],
    ] as const) {
      const answer = await send(stack().baseUrl, method, path, {
        headers: { accept: 'text/html' },
      });
      expect(refusal(answer), `${method} ${path}`).to.deep.equal([401, 'missing_api_key']);
      expect(answer.headers['www-authenticate']).to.equal('Bearer realm="api"');
      expect(answer.headers).not.to.have.any.keys('ratelimit', 'x-ratelimit-limit', 'allow');
    }
  });

  it('is 401 missing_api_key for an empty key or another scheme', async () => {
    for (const [headers, detail] of [
      [{ 'x-api-key': '' }, 'Send an API key as x-api-key or as Authorization: Bearer.'],
      [{ authorization: 'Basic dXNlcjpwYXNz' }, "The Authorization header must be 'Bearer <key>'."],
      [{ authorization: 'Bearer' }, "The Authorization header must be 'Bearer <key>'."],
    ] as [Record<string, string>, string][]) {
      const answer = await get(headers);
      expect(refusal(answer)).to.deep.equal([401, 'missing_api_key']);
      expect(answer.body.detail).to.equal(detail);
    }
  });

  it('is 401 with the key in the URL, or 400 unknown_parameter beside a real one', async () => {
    const { key } = await makeCompany(stack());
    for (const name of ['api_key', 'apikey', 'x-api-key', 'key', 'access_token']) {
      expect(refusal(await get({}, `${PATH}?${name}=${key}`))).to.deep.equal([
        401,
        'missing_api_key',
      ]);
      expect(refusal(await get({ 'x-api-key': key }, `${PATH}?${name}=${key}`))).to.deep.equal([
        400,
        'unknown_parameter',
      ]);
    }
  });

  it('is 401 invalid_api_key for a malformed, mistyped or unknown key', async () => {
    const { key } = await makeCompany(stack());
    const other = key.endsWith('0') ? '1' : '0';
    for (const wrong of [
      'x',
      `${key.slice(0, -1)}${other}`,
      `${key}0`,
      key.toLowerCase(),
      `"${key}"`,
      `${key}, ${key}`,
      makeKey().key,
    ])
      expect(refusal(await get({ 'x-api-key': wrong })), wrong).to.deep.equal([
        401,
        'invalid_api_key',
      ]);
  });

  it('is 401 invalid_api_key for a real id with another secret', async () => {
    const { keyId, companyId } = await makeCompany(stack());
    const forged = makeKey();
    await stack().sql(
      'UPDATE api_key_secrets SET id = $3 WHERE company_id = $1 AND api_key_id = $2',
      [companyId, keyId, forged.id],
    );
    expect(refusal(await get({ 'x-api-key': forged.key }))).to.deep.equal([401, 'invalid_api_key']);
  });
});

describeMode('postgres', 'the look-up of a key', stack => {
  afterEach(closeDatabase);

  it('does the same for an unknown id as for a wrong secret', async () => {
    const company = await makeCompany(stack());
    const forged = makeKey();
    await stack().sql(
      `INSERT INTO api_key_secrets (company_id, id, api_key_id, hash)
       VALUES ($1, $2, $3, sha256('another secret'))`,
      [company.companyId, forged.id, company.keyId],
    );
    const statements: string[] = [];
    const pool = openForTests(stack().databaseUrl, 1);
    pool.on('connect', client => watchStatements(client, statements));
    const refusals = {
      add: async () => ({ used: 1, resetMs: 1 }),
      takeBack: async () => undefined,
    };
    const authenticate = createAuthenticate(refusals, createLog('test', 'silent'), () => undefined);
    /**
     * The statement's reads: each node of its plan, how often it ran and how many rows it found.
     */
    const lookUp = async (key: string) => {
      statements.length = 0;
      const ctx = {
        req: { rawHeaders: ['x-api-key', key], socket: {} },
        ip: '127.0.0.1',
        state: {},
      };
      const outcome = await authenticate(ctx as unknown as Context, async () => undefined).catch(
        (error: Problem) => error.code,
      );
      const [sql = '', ...more] = statements;
      expect(more).to.deep.equal([]);
      const explained = `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${sql}`;
      const plan = await stack().sql(explained, [keyId(key), hashKey(key)]);
      const reads = plan
        .map(line => String(line['QUERY PLAN']))
        .filter(line => /->|never executed|rows=/u.test(line));
      return { outcome, sql, reads };
    };
    const [unknown, wrong, right] = [
      await lookUp(makeKey().key),
      await lookUp(forged.key),
      await lookUp(company.key),
    ];
    expect(unknown.outcome).to.equal('invalid_api_key');
    expect(wrong).to.deep.equal(unknown);
    expect(right.sql).to.equal(wrong.sql);
    expect(right.reads, 'only a valid key reads further').not.to.deep.equal(wrong.reads);
  });
});

describeMode('postgres', 'a key', stack => {
  const get = (headers: Record<string, string | string[]>) =>
    send(stack().baseUrl, 'GET', PATH, { headers });

  it('is accepted as x-api-key, as Bearer in any case, or as both if they are equal', async () => {
    const { key } = await makeCompany(stack());
    for (const headers of [
      { 'X-API-Key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `bEARER   ${key}` },
      { 'x-api-key': key, authorization: `Bearer ${key}` },
      { 'x-api-key': [key, key] },
      { authorization: [`Bearer ${key}`, `bearer ${key}`] },
      { 'x-api-key': key, authorization: 'Basic dXNlcjpwYXNz' },
    ] as Record<string, string | string[]>[])
      expect((await get(headers)).status, JSON.stringify(Object.keys(headers))).to.equal(200);
  });

  it('is 400 ambiguous_credentials beside a different key, in one header or two', async () => {
    const [{ key }, { key: other }] = [await makeCompany(stack()), await makeCompany(stack())];
    for (const headers of [
      { 'x-api-key': key, authorization: `Bearer ${other}` },
      { 'x-api-key': [key, other] },
      { 'x-api-key': [key, ''] },
      { authorization: [`Bearer ${key}`, `Bearer ${other}`] },
      { authorization: ['Basic dXNlcjpwYXNz', `Bearer ${key}`] },
    ] as Record<string, string | string[]>[]) {
      const { status, body } = await get(headers);
      expect([status, body.code]).to.deep.equal([400, 'ambiguous_credentials']);
    }
  });

  it('can do what its scopes allow; else 403 insufficient_scope with requiredScope', async () => {
    const requests: [scope: string, method: string, path: string][] = [
      ['summary:read', 'GET', '/summary'],
      ['invoices:read', 'GET', '/invoices'],
      ['invoices:write', 'POST', '/invoices'],
      ['inventory:read', 'GET', '/inventory'],
      ['inventory:write', 'POST', '/inventory/adjustments'],
    ];
    const { companyId } = await makeCompany(stack());
    for (const [granted] of requests) {
      const { key } = await addKey(stack(), companyId, [granted]);
      for (const [scope, method, path] of requests) {
        const { status, body } = await send(stack().baseUrl, method, `/api/external${path}`, {
          key,
        });
        if (scope === granted) expect(status, `${granted} for ${path}`).not.to.equal(403);
        else
          expect([status, body.code, body.requiredScope]).to.deep.equal([
            403,
            'insufficient_scope',
            scope,
          ]);
      }
    }
  });

  it('reads the jobs that match its read scope, 403 for the others', async () => {
    const company = await makeCompany(stack());
    const { body: job } = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'respond-async' },
    });
    const { key } = await addKey(stack(), company.companyId, ['inventory:read']);
    const { status, body } = await send(stack().baseUrl, 'GET', `/api/external/jobs/${job.id}`, {
      key,
    });
    expect([status, body.requiredScope]).to.deep.equal([403, 'invoices:read']);
  });

  it("of another company finds another company's id as it finds a missing one", async () => {
    const [mine, theirs] = [await makeCompany(stack()), await makeCompany(stack())];
    const { body: invoice } = await theirs.post('/invoices', invoiceRequest());
    const headers = { 'x-request-id': 'same' };
    const foreign = await mine.get(`/invoices/${invoice.id}`, { headers });
    const missing = await mine.get(`/invoices/${mine.companyId}`, { headers });
    expect(foreign.status).to.equal(404);
    expect(foreign.text.replace(invoice.id, '')).to.equal(missing.text.replace(mine.companyId, ''));
  });

  it('has a last-used time, without a write for each request', async () => {
    const company = await makeCompany(stack());
    const web = await startProcess('web', stack().env);
    const before = Date.now();
    for (let at = 0; at < 5; at += 1)
      await send(`http://127.0.0.1:${web.port}`, 'GET', PATH, { key: company.key });
    expect(await web.stop()).to.equal(0);
    const [row] = await stack().sql<{ at: Date; version: string }>(
      'SELECT last_used_at AS at FROM api_keys WHERE company_id = $1 AND id = $2',
      [company.companyId, company.keyId],
    );
    expect(row?.at?.getTime()).to.be.within(before, Date.now());
    expect(web.output()).not.to.contain(company.key.slice(0, 20));
  });
});

describeMode('postgres', 'a change of a key', stack => {
  it('takes effect on every web process within a second', async () => {
    const urls = [stack().baseUrl, await secondWeb(stack())];
    const changes: [sql: string, status: number, code: string][] = [
      ['revoked_at = now()', 401, 'revoked_api_key'],
      ["expires_at = now() - interval '1 second'", 401, 'expired_api_key'],
      ["scopes = ARRAY['summary:read']", 403, 'insufficient_scope'],
    ];
    await Promise.all(
      changes.map(async ([sql, status, code]) => {
        const company = await makeCompany(stack());
        for (const url of urls)
          expect((await send(url, 'GET', PATH, { key: company.key })).status).to.equal(200);
        await stack().sql(`UPDATE api_keys SET ${sql} WHERE company_id = $1`, [company.companyId]);
        await expectWithinASecond(urls, company.key, status, code);
      }),
    );
  });

  it('by rotation leaves the old secret valid for the overlap and not longer', async () => {
    const company = await makeCompany(stack());
    const urls = [stack().baseUrl, await secondWeb(stack())];
    const rotate = async (hours: string): Promise<string> => {
      const args = ['--key', company.keyId, '--overlap-hours', hours];
      return (await runAdmin(stack(), 'key', 'rotate', ...args)).key;
    };
    const second = await rotate('1');
    const [overlap] = await stack().sql<{ seconds: number }>(
      `SELECT EXTRACT(EPOCH FROM valid_until - now())::float AS seconds
       FROM api_key_secrets
       WHERE company_id = $1 AND valid_until IS NOT NULL`,
      [company.companyId],
    );
    expect(overlap?.seconds).to.be.within(3_570, 3_600);
    const accepts = async (key: string) => {
      for (const url of urls) expect((await send(url, 'GET', PATH, { key })).status).to.equal(200);
    };
    await Promise.all([company.key, second].map(accepts));
    // The rest of the hour passes at once, except for its last second.
    await stack().sql(
      `UPDATE api_key_secrets
       SET valid_until = now() + interval '1 second'
       WHERE company_id = $1 AND valid_until IS NOT NULL`,
      [company.companyId],
    );
    await accepts(company.key);
    const isOver = async () =>
      (
        await stack().sql(
          'SELECT FROM api_key_secrets WHERE company_id = $1 AND valid_until <= now()',
          [company.companyId],
        )
      ).length === 1;
    await until('the overlap is over', isOver);
    await expectWithinASecond(urls, company.key, 401, 'expired_api_key');
    await accepts(second);
    const third = await rotate('0');
    await Promise.all([
      expectWithinASecond(urls, company.key, 401, 'expired_api_key'),
      expectWithinASecond(urls, second, 401, 'expired_api_key'),
      accepts(third),
    ]);
  });

  it('that gains a scope is accepted with it within a second', async () => {
    const company = await makeCompany(stack(), { scopes: ['summary:read'] });
    expect((await company.get('/invoices')).status).to.equal(403);
    await stack().sql("UPDATE api_keys SET scopes = ARRAY['invoices:read'] WHERE company_id = $1", [
      company.companyId,
    ]);
    const urls = [stack().baseUrl, await secondWeb(stack())];
    await expectWithinASecond(urls, company.key, 200, undefined);
  });
});

/** Waits for this outcome on each process, for requests sent within a second of this call. */
async function expectWithinASecond(
  urls: string[],
  key: string,
  status: number,
  code: string | undefined,
) {
  const outcome = ({ status: actual, body }: Response) => [actual, body?.code];
  const isRight = (answer: Response) => isDeepStrictEqual(outcome(answer), [status, code]);
  await Promise.all(
    urls.map(async url => {
      const ask = () => send(url, 'GET', PATH, { key });
      expect(outcome(await answerWithinASecond(ask, isRight)), url).to.deep.equal([status, code]);
    }),
  );
}

inBothModes('refused keys', stack => {
  const network = () => `2001:db8:${stack().mode === 'redis' ? 1 : 2}:1`;
  const refused = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded, 'x-api-key': 'tpk_wrong' };
    return send(await secondWeb(stack()), 'GET', PATH, { headers });
  };

  it('are 429 too_many_attempts from the 31st per minute on; valid keys still work', async () => {
    const url = await secondWeb(stack());
    const headers = { 'x-forwarded-for': `${network()}::1` };
    const company = await makeCompany(stack());
    for (let at = 0; at < 40; at += 1) await send(url, 'GET', PATH, { headers });
    for (let at = 1; at <= 30; at += 1)
      expect((await refused(`${network()}::${at}`)).status, `refusal ${at}`).to.equal(401);
    for (const address of [`${network()}::1`, `${network()}:ffff::2`]) {
      const answer = await refused(address);
      expect([answer.status, answer.body.code]).to.deep.equal([429, 'too_many_attempts']);
      expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
    }
    expect((await send(url, 'GET', PATH, { key: company.key, headers })).status).to.equal(200);
    expect((await send(url, 'GET', PATH, { headers })).status).to.equal(401);
    expect((await refused('203.0.113.7')).status).to.equal(401);
  });

  it('count for the address that the trusted proxy saw, not for an invented one', async () => {
    for (let at = 0; at < 30; at += 1) await refused(`192.0.2.${at}, ${network()}:1::1`);
    expect((await refused(`192.0.2.99, ${network()}:1::1`)).status).to.equal(429);
    expect((await refused(`${network()}:1::1, 198.51.100.3`)).status).to.equal(401);
  });
});

/** Records the text of every statement that this client sends from now on. */
function watchStatements(client: pg.Client, statements: string[]): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const [statement] = args as [string | { text: string }];
    statements.push(typeof statement === 'string' ? statement : statement.text);
    return send(...args);
  }) as typeof client.query;
}
