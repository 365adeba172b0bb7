// Invoices, payments and credit notes of test companies, and what their company's books say.
import { expect } from 'chai';
import type { Json, RequestOptions, Response } from './client.js';
import { invoiceRequest, type TestCompany } from './factories.js';
import { until } from './processes.js';
import type { Stack } from './suite.js';

/** Creates an invoice; by default one line of 100. */
export async function issue(
  company: TestCompany,
  overrides: Record<string, unknown> = {},
): Promise<Json> {
  const items = [{ name: 'Consulting', qty: 10, price: 10 }];
  const response = await company.post('/invoices', invoiceRequest({ items, ...overrides }));
  return created(response);
}

/** Records a payment of these invoices. */
export async function pay(
  company: TestCompany,
  amount: number,
  invoices: readonly Json[],
  more: Record<string, unknown> = {},
): Promise<Json> {
  return created(await company.post('/payments', payment(amount, invoices, more)));
}

export function payment(
  amount: number,
  invoices: readonly Json[],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const named = invoices.map(({ id }) => ({ invoiceId: id }));
  return { amount, date: '2026-11-24', invoices: named, ...more };
}

/** Credits an invoice; by default everything, for its price. */
export async function credit(
  company: TestCompany,
  invoice: Json,
  more: Record<string, unknown> = {},
): Promise<Json> {
  return created(await company.post('/credit-notes', creditNote(invoice, more)));
}

export function creditNote(
  invoice: Json,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { invoiceId: invoice.id, date: '2026-11-25', reason: 'price', ...more };
}

export function created({ status, body }: Response): Json {
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function read(
  company: TestCompany,
  path: string,
  options?: RequestOptions,
): Promise<Json> {
  const { status, body } = await company.get(path, options);
  if (status !== 200) throw new Error(`${path} is ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** The settlement in an invoice's JSON. */
export async function settlementOf(company: TestCompany, { id }: Json): Promise<object> {
  const invoice = await read(company, `/invoices/${id}`);
  const { status, amountPaid, amountCredited, amountDue, settledOn } = invoice;
  return { status, amountPaid, amountCredited, amountDue, settledOn };
}

/** All rows that a write of the ledger may write, as text. */
export async function books(stack: Pick<Stack, 'sql'>, companyId: string): Promise<Json> {
  const [row] = await stack.sql<{ books: Json }>(
    `SELECT json_build_object(
       'invoices', (SELECT json_agg(i ORDER BY number) FROM invoices i WHERE company_id = $1),
       'entries', (SELECT json_agg(e ORDER BY sequence) FROM entries e WHERE company_id = $1),
       'allocations', (
         SELECT json_agg(a ORDER BY sequence, invoice_id) FROM allocations a WHERE company_id = $1
       ),
       'movements', (SELECT json_agg(m ORDER BY id) FROM movements m WHERE company_id = $1),
       'items', (SELECT json_agg(s ORDER BY id) FROM items s WHERE company_id = $1),
       'company', (
         SELECT json_build_object('entries', next_entry_sequence, 'notes', next_credit_note_number,
           'invoices', next_invoice_number, 'stock', stock_version)
         FROM companies WHERE id = $1
       )
     ) AS books`,
    [companyId],
  );
  return row?.books;
}

/** Runs a request that is refused with this status and code, and checks that nothing is written. */
export async function refused(
  stack: Pick<Stack, 'sql'>,
  company: TestCompany,
  status: number,
  code: string,
  request: () => Promise<Response>,
): Promise<Json> {
  const before = await books(stack, company.companyId);
  const response = await request();
  expect(response.body.code).to.equal(code);
  expect(response.status).to.equal(status);
  expect(await books(stack, company.companyId)).to.deep.equal(before);
  return response.body;
}

/** The invariants of the company's books that must hold whatever ran at once. */
export async function expectSoundBooks(
  stack: Pick<Stack, 'sql'>,
  companyId: string,
): Promise<void> {
  const { invoices, entries, allocations, company } = await books(stack, companyId);
  const sum = (rows: Json[] | null, amountOf: (row: Json) => number) =>
    Math.round((rows ?? []).reduce((total, row) => total + amountOf(row), 0) * 100) / 100;
  const sequences = (entries ?? []).map(({ sequence }: Json) => sequence);
  expect(sequences).to.deep.equal(sequences.map((_: number, index: number) => index + 1));
  expect(company.entries).to.equal(sequences.length + 1);
  const notes = (entries ?? []).flatMap(({ number }: Json) => number ?? []);
  expect(notes).to.deep.equal(notes.map((_: number, index: number) => index + 1));
  const sourceOf = new Map((entries ?? []).map((entry: Json) => [entry.id, entry]));
  for (const invoice of invoices ?? []) {
    const own = (allocations ?? []).filter(({ invoice_id }: Json) => invoice_id === invoice.id);
    const of = (type: string) =>
      own.filter(({ source_id }: Json) => (sourceOf.get(source_id) as Json).type === type);
    expect(invoice.paid).to.equal(sum(of('payment'), ({ amount }) => amount));
    expect(invoice.credited).to.equal(sum(of('creditNote'), ({ amount }) => amount));
    expect(invoice.paid + invoice.credited).to.be.at.most(invoice.total);
  }
  for (const { id, type, amount, refunded, unallocated, reversed } of entries ?? []) {
    if (type !== 'payment' && type !== 'creditNote') continue;
    const given = (allocations ?? []).filter(({ source_id }: Json) => source_id === id);
    const spent = sum(given, each => each.amount) + refunded + unallocated;
    expect(Math.round(spent * 100) / 100).to.equal(reversed ? 0 : amount);
    expect(unallocated).to.be.at.least(0);
  }
}

/** Keeps small books: every kind of entry, with goods that come back. Creates three invoices. */
export async function keepBooks(company: TestCompany): Promise<void> {
  const items = [
    { name: 'Pipe', qty: 2, price: 10, taxRate: 19 },
    { name: 'Fitting', qty: 1, price: 5, taxRate: 19 },
  ];
  created(
    await company.post('/inventory/adjustments', {
      reason: 'received',
      items: [{ name: 'Pipe', delta: 20 }],
    }),
  );
  const ledger = { customerName: 'Ledger', date: '2026-11-20', items };
  const invoice = await issue(company, ledger);
  const other = await issue(company, ledger);
  const wrong = await issue(company, ledger);
  const payment = await pay(company, 50, [invoice]);
  await credit(company, invoice, { items: [{ line: 1, qty: 1, restock: true }] });
  const body = { paymentId: payment.id, invoices: [{ invoiceId: other.id, amount: 5 }] };
  created(await company.post('/allocations', body));
  const refund = { paymentId: payment.id, amount: 2.5, date: '2026-11-26' };
  created(await company.post('/refunds', refund));
  const bounced = await pay(company, 1, [other]);
  created(await company.post(`/payments/${bounced.id}/reversal`, { date: '2026-11-26' }));
  created(await company.post(`/invoices/${wrong.id}/void`, {}));
}

/** Waits until a search finds all invoices and entries of the company. */
export async function untilTextsStored(
  stack: Pick<Stack, 'sql'>,
  { companyId }: TestCompany,
): Promise<void> {
  await until('all texts are stored', async () => {
    const [row] = await stack.sql<{ isStored: boolean }>(
      `SELECT s.texts_number = c.next_invoice_number - 1
         AND s.texts_sequence = c.next_entry_sequence - 1 AS "isStored"
       FROM companies c
       JOIN summaries s ON s.company_id = c.id
       WHERE c.id = $1`,
      [companyId],
    );
    return row?.isStored === true;
  });
}
