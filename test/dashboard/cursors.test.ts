// The dashboard and the API read the same pages of lists. Each one's cursors are its own.
import { expect } from 'chai';
import { signedIn } from '../support/dashboard.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { addPayments } from '../support/many-rows.js';
import { describeMode, type Stack } from '../support/suite.js';

const COUNT = 60;

/** Adds credit notes to a company without entries. */
async function addCreditNotes(stack: Stack, { companyId }: TestCompany): Promise<void> {
  await stack.sql(
    `WITH company AS (
       UPDATE companies SET next_entry_sequence = ${COUNT} + 1 WHERE id = $1
     )
     INSERT INTO entries (
       company_id, id, submission_id, sequence, type, date, effective_date, currency,
       customer_name, customer_key, amount, invoice_id, number, number_prefix, subtotal, tax_total,
       reason, body, created_at
     )
     SELECT $1, id, id, sequence, 'creditNote', '2026-11-20', '2026-11-20', 'USD',
       'Ada', 'ada', 1, id, sequence, 'CN-', 1, 0, 'return',
       replace(replace(json_build_object(
         'id', id, 'number', 'CN-' || lpad(sequence::text, 6, '0'), 'invoiceId', id,
         'invoiceNumber', 'INV-000001', 'customerName', 'Ada', 'date', '2026-11-20',
         'currency', 'USD', 'reason', 'return', 'items', json_build_array(), 'subtotal', 1,
         'taxTotal', 0, 'taxes', json_build_array(), 'total', 1, 'reference', null,
         'note', null, 'allocations', json_build_array(), 'refunded', 0, 'unallocated', 0,
         'createdAt', '2026-11-20T00:00:00.000Z'
       )::text, '" : ', '":'), ', "', ',"'),
       '2026-11-20T00:00:00Z'
     FROM (SELECT gen_random_uuid() AS id, generate_series(1, ${COUNT}) AS sequence) made`,
    [companyId],
  );
}

const LISTS: readonly [
  path: string,
  fill: (stack: Stack, company: TestCompany) => Promise<unknown>,
][] = [
  ['/payments', (stack, company) => addPayments(stack, company, COUNT)],
  ['/credit-notes', addCreditNotes],
  [
    '/inventory',
    (_, company) =>
      receive(
        company,
        ...Array.from({ length: COUNT }, (_each, at) => ({ name: `Pipe ${at}`, delta: 1 })),
      ),
  ],
];

describeMode('postgres', 'a list that API and dashboard share', stack => {
  for (const [path, fill] of LISTS)
    for (const first of ['dashboard', 'API'])
      it(`continues in both if the ${first} reads ${path} first`, async () => {
        const company = await makeCompany(stack(), {
          scopes: ['inventory:read', 'inventory:write', 'invoices:read', 'payments:read'],
        });
        await fill(stack(), company);
        const { browser } = await signedIn(stack(), company.companyId);
        const readApi = () => company.get(`${path}?limit=50`, { unchecked: true });
        const readPage = () => browser.get(path);
        // Both within a second, so that they share the page.
        const [api, page] =
          first === 'API'
            ? [await readApi(), await readPage()]
            : await readPage().then(async shown => [await readApi(), shown] as const);
        expect([api.status, page.status], api.text.slice(0, 300)).to.deep.equal([200, 200]);
        const link = /\/api\/external([^>]+)>/u.exec(String(api.headers.link))?.[1] ?? '';
        const next = await company.get(link, { unchecked: true });
        expect([next.status, next.body.length], next.text.slice(0, 200)).to.deep.equal([
          200,
          COUNT - 50,
        ]);
        const href = new RegExp(`href="(${path}\\?cursor=[^"]+)"`, 'u').exec(page.text)?.[1] ?? '';
        expect((await browser.get(href)).status, href).to.equal(200);
      });
});
