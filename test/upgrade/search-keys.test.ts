// The texts in which a record of an earlier release is searched get its phone, contact and
// addresses.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import { makeCompany } from '../support/factories.js';
import { read } from '../support/ledger.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', 'the record of a customer of an earlier release', stack => {
  it('gets a new search key, by which it is found', async () => {
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
    await until('the scheduler has written the key again', async () => {
      const [now] = await stack().sql<{ key: string }>(
        'SELECT search_key AS key FROM customers WHERE id = $1',
        [customer.id],
      );
      return now?.key === made?.key;
    });
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
