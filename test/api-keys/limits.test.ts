// A company has a bounded number of keys and secrets, also if they are created concurrently.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { signedIn } from '../support/dashboard.js';
import { makeCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const NEW_KEY = '/integrations/api-access/new';

describeMode('postgres', 'the number of API keys', stack => {
  it('is at most 100 active ones per company', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    const count = async () => {
      const sql = `SELECT count(*)::int AS keys FROM api_keys
        WHERE company_id = $1 AND revoked_at IS NULL`;
      const [row] = await stack().sql<{ keys: number }>(sql, [companyId]);
      return row?.keys ?? 0;
    };
    await stack().sql(
      `INSERT INTO api_keys (company_id, id, name, scopes)
       SELECT $1, gen_random_uuid(), 'k', '{summary:read}' FROM generate_series(1, $2)`,
      [companyId, 99 - (await count())],
    );
    const create = () =>
      browser.post(
        NEW_KEY,
        NEW_KEY,
        { once: uuidv7(), name: 'One more', access: 'all' },
        { mayTell: true },
      );
    await Promise.all([create(), create(), create()]);
    expect(await count()).to.equal(100);
  });
});
