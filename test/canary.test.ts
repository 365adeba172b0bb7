// No secret reaches the stores, the queue's jobs or the metrics. Every test also watches logs and
// answers for secrets (support/canary).
import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { makeKey } from '../src/api-keys/key.js';
import {
  checkOutput,
  findSecret,
  registerSecret,
  takeFindings,
  watchOutput,
} from './support/canary.js';
import { send } from './support/client.js';
import { invoiceRequest, makeCompany } from './support/factories.js';
import { until } from './support/processes.js';
import { openQueue } from './support/queue.js';
import { inBothModes, type Stack } from './support/suite.js';

inBothModes('the stores', stack => {
  it('contain no key, cookie or password: neither queue nor tables nor metrics', async () => {
    const company = await makeCompany(stack());
    const headers = {
      cookie: 'session=cookie-5b1e',
      authorization: `Bearer ${company.key}`,
      'idempotency-key': 'order-1',
    };
    const { queue, close } = openQueue(stack(), 'invoices');
    await queue.pause();
    const request = invoiceRequest({ reference: 'body-5b1e' });
    const answered = company.post('/invoices', request, { headers });
    try {
      await until('the job is in the queue', async () =>
        (await queueRows(stack())).some(row => row.includes('body-5b1e')),
      );
      const rows = [...(await queueRows(stack())), ...(await tableRows(stack(), 'public'))];
      expect(rows.filter(row => row.includes(company.companyId))).to.have.length.above(3);
      expect(rows.filter(row => findSecret(row) !== null)).to.deep.equal([]);
    } finally {
      await queue.resume();
      await close();
    }
    expect((await answered).status).to.equal(201);
    const { text } = await send(stack().baseUrl, 'GET', '/metrics');
    for (const word of ['cookie-5b1e', 'body-5b1e', company.companyId, company.keyId])
      expect(text).not.to.include(word);
  });
});

describe('the watch for secrets', () => {
  it('finds API keys and registered secrets in output, however it is split', async () => {
    const { key } = makeKey();
    registerSecret('a-password-5b1e');
    const script = `process.stdout.write('{"a":"${key.slice(0, 20)}');
      setTimeout(() => console.log('${key.slice(20)}"}'), 50);
      console.error('nothing'); console.error('with a-password-5b1e in it')`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    watchOutput('a process', child);
    await new Promise(resolve => child.once('close', resolve));
    expect(takeFindings()).to.have.members([
      `a process wrote "${key}": {"a":"${key}"}`,
      'a process wrote "a-password-5b1e": with a-password-5b1e in it',
    ]);
    checkOutput('a command', `told: ${key}`, line => line.startsWith('told'));
    expect(takeFindings()).to.deep.equal([]);
  });
});

/** The queue's contents as text. */
async function queueRows(stack: Stack): Promise<string[]> {
  if (!stack.redis) return tableRows(stack, 'bullmq');
  const redis = new Redis(stack.redis.url);
  try {
    const keys = await redis.keys('*');
    return await Promise.all(
      keys.map(async name => `${name} ${JSON.stringify(await readKey(redis, name))}`),
    );
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, name: string): Promise<unknown> {
  switch (await redis.type(name)) {
    case 'hash':
      return redis.hgetall(name);
    case 'list':
      return redis.lrange(name, 0, -1);
    case 'set':
      return redis.smembers(name);
    case 'zset':
      return redis.zrange(name, '0', '-1');
    case 'stream':
      return redis.xrange(name, '-', '+');
    default:
      return redis.get(name);
  }
}

/** All rows of a schema's tables, as text. */
async function tableRows(stack: Stack, schema: string): Promise<string[]> {
  const tables = await stack.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1`,
    [schema],
  );
  expect(tables).to.have.length.above(5);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      stack.sql<{ row: string }>(`SELECT '${name} ' || t::text AS row FROM ${name} t`),
    ),
  );
  return rows.flat().map(({ row }) => row);
}
