// A new ENCRYPTION_KEY, from processes that have the old key to processes that have only the new.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { registerSecret } from '../support/canary.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { type ReceivedWebhook, startReceiver, verifyWebhook } from '../support/receiver.js';
import { makeStores, openForTests, startForTests } from '../support/suite.js';
import { LOOPBACK_ALLOWED, makeEndpoint, writeEvents } from '../support/webhooks.js';

const newKey = (): string => {
  const key = randomBytes(32).toString('base64');
  registerSecret(key);
  return key;
};

describe('the secret of a webhook endpoint', () => {
  after(closeDatabase);

  it('signs under each key, and is lost with the key that encrypted it', async () => {
    const stores = await makeStores('postgres');
    openForTests(stores.databaseUrl, 2);
    const receiver = await startReceiver();
    const [first, second] = [newKey(), newKey()];
    const system = { sql: stores.sql, baseUrl: '' };
    const company = await makeCompany(system);
    let written = 0;
    /** Runs the product with the keys. */
    const withKeys = async (keys: string, use: () => Promise<void>) => {
      const env = { ...stores.env, ...LOOPBACK_ALLOWED, ENCRYPTION_KEY: keys };
      const stack = await startForTests(['web', 'worker'], env);
      system.baseUrl = `http://127.0.0.1:${stack.port}`;
      await use();
      await stack.stop();
    };
    const deliver = async (secret: string) => {
      written += 1;
      await writeEvents(company, 1);
      await until('a webhook', async () => receiver.received.length === written, 60_000);
      verifyWebhook(receiver.received.at(-1) as ReceivedWebhook, secret);
    };

    let path = '';
    let secret = '';
    await withKeys(first, async () => {
      ({ path, secret } = await makeEndpoint(company, receiver.url, { types: ['key.*'] }));
      await deliver(secret);
    });
    await withKeys(`${second},${first}`, () => deliver(secret));
    await withKeys(second, async () => {
      await writeEvents(company, 1);
      const state = async () => (await company.get(path)).body;
      await until('it stops', async () => (await state()).status === 'disabled', 60_000);
      expect(await state()).to.include({ disabledReason: 'secret_lost' });
      expect(receiver.received).to.have.length(written);
    });
    await withKeys(`${second},${first}`, async () => {
      const rotated = await company.post(
        `${path}/rotate-secret`,
        { overlapHours: 0 },
        { mayTell: true },
      );
      ({ secret } = rotated.body);
      registerSecret(secret);
      await company.patch(path, { status: 'active' });
      await until('the one that waited', async () => receiver.received.length === written + 1);
      written += 1;
      await deliver(secret);
    });
    await withKeys(second, () => deliver(secret));
  });
});
