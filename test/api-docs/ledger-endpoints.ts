// The endpoints of the ledger with requests that succeed and that are refused.
import type { Json } from '../support/client.js';
import type { TestCompany } from '../support/factories.js';
import { created, credit, issue, pay } from '../support/ledger.js';
import type { Endpoint } from './statuses.test.js';

/** Ids of records that the requests name. */
export interface Books {
  readonly invoice: Json;
  /** To be voided; another one is paid. */
  readonly wrong: Json;
  readonly payment: Json;
  readonly bounced: Json;
  readonly refund: Json;
  readonly note: Json;
}

export async function openBooks(company: TestCompany): Promise<Books> {
  const [invoice, wrong] = [await issue(company), await issue(company)];
  const payment = await pay(company, 1_000, [], { customerName: invoice.customerName });
  const bounced = await pay(company, 1, [], { customerName: invoice.customerName });
  const note = await credit(company, invoice, { items: [{ line: 1, amount: 1 }] });
  const body = { paymentId: payment.id, amount: 1, date: '2026-11-25' };
  const refund = created(await company.post('/refunds', { ...body, externalId: 'known' }));
  await pay(company, 1, [], { customerName: 'A', externalId: 'known' });
  return { invoice, wrong, payment, bounced, refund, note };
}

export function ledgerReads({ invoice, payment, refund, note }: Books): Endpoint[] {
  const get = (template: string, id = ''): Endpoint => ({
    method: 'GET',
    template,
    path: template.replace('{id}', id),
  });
  return [
    ...[get('/payments'), get('/refunds'), get('/credit-notes')],
    ...[get('/payments/{id}', payment.id), get('/refunds/{id}', refund.id)],
    ...[get('/credit-notes/{id}', note.id), get('/invoices/{id}/entries', invoice.id)],
  ];
}

export function ledgerWrites({ invoice, wrong, payment, bounced }: Books): Endpoint[] {
  const post = (template: string, body: Json, id = ''): Endpoint => ({
    method: 'POST',
    template,
    path: template.replace('{id}', id),
    body,
  });
  const date = '2026-11-25';
  const invoices = [{ invoiceId: invoice.id, amount: 0.01 }];
  return [
    post('/payments', { amount: 1, date, customerName: 'A' }),
    post('/payments/{id}/reversal', { date }, bounced.id),
    post('/allocations', { paymentId: payment.id, invoices }),
    post('/refunds', { paymentId: payment.id, amount: 0.01, date }),
    post('/credit-notes', {
      invoiceId: invoice.id,
      date,
      reason: 'price',
      items: [{ line: 1, amount: 0.01 }],
    }),
    post('/invoices/{id}/void', { date }, wrong.id),
  ];
}

/** A body, or a path, with which the write is refused as 409. */
export function refusedLedgerWrite(
  { template, body }: Endpoint,
  { invoice, payment }: Books,
): Partial<Endpoint> {
  const refused: Record<string, Partial<Endpoint>> = {
    '/payments': { body: { ...body, externalId: 'known' } },
    '/payments/{id}/reversal': { path: `/payments/${payment.id}/reversal` },
    '/allocations': {
      body: { ...body, invoices: [{ invoiceId: invoice.id, amount: 5_000 }] },
    },
    '/refunds': { body: { ...body, externalId: 'known' } },
    '/credit-notes': { body: { ...body, items: [{ line: 1, amount: 5_000 }] } },
    '/invoices/{id}/void': { path: `/invoices/${invoice.id}/void` },
  };
  return refused[template] ?? {};
}
