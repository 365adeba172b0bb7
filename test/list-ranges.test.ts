// A range whose first day or time is after its last one is a mistake, on every list.
import { expect } from 'chai';
import { makeCustomer } from './support/customers.js';
import { signedIn } from './support/dashboard.js';
import { makeCompany, receive } from './support/factories.js';
import { describeMode } from './support/suite.js';
import { makeEndpoint } from './support/webhooks.js';

const SCOPES = [
  ...['inventory:read', 'inventory:write', 'invoices:read', 'payments:read'],
  ...['documents:send', 'webhooks:write', 'customers:write'],
];

describeMode('postgres', 'a first day after the last day', stack => {
  it('is refused by every list of the API', async () => {
    const company = await makeCompany(stack(), { scopes: SCOPES });
    const [itemId] = await receive(company, { name: 'Pipe', delta: 1 });
    const endpoint = await makeEndpoint(company, 'http://127.0.0.1:9/');
    const lists = [
      ...['/invoices', '/payments', '/refunds', '/credit-notes', '/emails'],
      `/inventory/${itemId}/movements`,
    ];
    const ranges = [
      ...lists.map(path => [path, 'from', 'to', ''] as const),
      ['/invoices', 'dueFrom', 'dueTo', ''] as const,
      [`${endpoint.path}/deliveries`, 'from', 'to', 'T00:00:00Z'] as const,
    ];
    for (const [path, first, last, time] of ranges) {
      const query = (from: string) => `${path}?${first}=${from}${time}&${last}=2026-11-20${time}`;
      const { status, body } = await company.get(query('2026-11-21'));
      expect([status, body.code, body.parameter, body.detail], path).to.deep.equal([
        400,
        'invalid_parameter',
        first,
        `"${first}" must not be after "${last}".`,
      ]);
      expect((await company.get(query('2026-11-20'))).status).to.equal(200);
    }
  });

  it('leaves the pages of the dashboard as typed, with a sentence, and refuses files', async () => {
    const company = await makeCompany(stack(), { scopes: SCOPES });
    const { browser } = await signedIn(stack(), company.companyId);
    const customer = await makeCustomer(company, { name: 'Adler' });
    const reversed = 'from=2026-11-21&to=2026-11-20';
    const ofSearch = 'The first day of the search is after its last day.';
    const lists = ['/invoices', '/payments', '/credit-notes'];
    const account = `/customers/${customer.id}`;
    const pages: [address: string, sentence: string][] = [
      ...lists.map((path): [string, string] => [`${path}?${reversed}`, ofSearch]),
      ['/invoices?status=paid&q=adler&to=2026-11-31', '“2026-11-31” isn’t a valid date.'],
      [`${account}?${reversed}`, ofSearch],
      [`${account}?show=invoices&${reversed}`, ofSearch],
      [`${account}?show=open&to=2026-11-31`, '“2026-11-31” isn’t a valid date.'],
      ['/receivables?overdue=1&to=2026-11-31', '“2026-11-31” isn’t a valid date.'],
      ['/tax-report?from=2026-12&to=2026-11', 'The first month is after the last month.'],
      [`/?${reversed}`, 'The first day is after the last day.'],
    ];
    for (const [address, sentence] of pages) {
      const { status, text } = await browser.get(address, { headers: { accept: 'text/html' } });
      expect(status, address).to.equal(400);
      expect(text, address).to.contain(sentence).and.not.contain('Go to overview');
      for (const [name, value] of new URL(address, 'http://x').searchParams)
        if (name !== 'show') expect(text, address).to.match(fieldWith(name, value));
    }
    for (const path of lists) {
      const { status, text } = await browser.get(`${path}/export.csv?${reversed}`, {
        headers: { accept: 'text/html' },
      });
      expect(status, path).to.equal(400);
      expect(text).to.contain(ofSearch);
    }
  });
});

/** A field of a page with this value, whatever its other attributes are. */
function fieldWith(name: string, value: string): RegExp {
  return new RegExp(`<input(?=[^>]* name="${name}")(?=[^>]* value="${value}")`, 'u');
}
