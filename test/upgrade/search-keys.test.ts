// The texts in which a record of an earlier release is searched get its phone, contact and
// addresses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseSteps } from '../../src/platform/db/migration/steps.js';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany } from '../support/factories.js';
import { read } from '../support/ledger.js';
import { ROOT } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const FILE = '0030-lists.sql';

describeMode('postgres', 'the record of a customer of an earlier release', stack => {
  it('is found by what the migration adds to its search text', async () => {
    const company = await makeCompany(stack(), { scopes: ['customers:read', 'customers:write'] });
    const customer = await makeCustomer(company, {
      name: 'Park View',
      phone: '+1 (409) 555-0142',
      contactName: 'Zoë Ibáñez',
      legalName: 'Park View Straße LLC',
      address: { line1: 'Mühlgasse 3', city: 'Łódź', country: 'PL' },
    });
    const [made] = await stack().sql<{ key: string }>(
      'SELECT search_key AS key FROM customers WHERE id = $1',
      [customer.id],
    );
    await stack().sql(`UPDATE customers SET search_key = E'park view\nc-00001' WHERE id = $1`, [
      customer.id,
    ]);
    const text = readFileSync(join(ROOT, 'src/migrations', FILE), 'utf8');
    const steps = parseSteps(FILE, text).filter(({ sql }) => /folded_search_text/u.test(sql));
    for (const { sql } of steps) await stack().sql(sql, []);
    const queries = ['4095550142', 'ibanez zoe', 'lodz', 'muhlgasse 3', 'strasse', 'c-00001'];
    for (const q of queries) {
      const found: Json[] = await read(company, `/customers?${new URLSearchParams({ q })}`);
      expect(
        found.map(({ id }) => id),
        q,
      ).to.deep.equal([customer.id]);
    }
    expect(made?.key).to.contain('\n\n');
  });
});
