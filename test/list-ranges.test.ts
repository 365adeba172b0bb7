// A range whose first day or time is after its last one is a mistake, on every list.
import { expect } from 'chai';
import { signedIn } from './support/dashboard.js';
import { makeCompany, receive } from './support/factories.js';
import { describeMode } from './support/suite.js';
import { makeEndpoint } from './support/webhooks.js';

const SCOPES = [
  ...['inventory:read', 'inventory:write', 'invoices:read', 'payments:read'],
  ...['documents:send', 'webhooks:write'],
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

  it('is answered with a sentence by the lists of the dashboard', async () => {
    const { companyId } = await makeCompany(stack());
    const { browser } = await signedIn(stack(), companyId);
    const paths = ['/invoices', '/payments', '/credit-notes'];
    for (const path of paths.flatMap(list => [list, `${list}/export.csv`])) {
      const { status, text } = await browser.get(`${path}?from=2026-11-21&to=2026-11-20`, {
        headers: { accept: 'text/html' },
      });
      expect(status, path).to.equal(400);
      expect(text).to.contain('The first day of the search is after its last day.');
    }
  });
});
