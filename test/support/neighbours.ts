// Companies that write at a steady rate beside one that causes trouble, and the answers they got.
import pg from 'pg';
import type { Response } from './client.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from './factories.js';
import type { Stack } from './suite.js';

/** The invoices of companies that trade as usual: one line takes stock, one does not. */
const LINES = [
  { name: 'Pipe', qty: 1, price: 2 },
  { name: 'Delivery', qty: 1, price: 18.5 },
];
const STOCK = 100_000;

export interface Answers {
  readonly statuses: readonly number[];
  /** The 99th percentile of the time to an answer. */
  readonly p99Ms: number;
}

/** Makes a company with stock for many invoices. */
export async function makeTrader(stack: Stack): Promise<TestCompany> {
  const company = await makeCompany(stack);
  await receive(company, { name: 'Pipe', delta: STOCK });
  return company;
}

export const postInvoice = (company: TestCompany, prefer = 'wait=10'): Promise<Response> =>
  company.post('/invoices', invoiceRequest({ items: LINES }), { headers: { prefer } });

/** Posts invoices of each company at this rate, whether or not the previous ones are answered. */
export async function trade(
  companies: readonly TestCompany[],
  { perSecond, seconds, prefer }: { perSecond: number; seconds: number; prefer?: string },
): Promise<Answers> {
  const times: number[] = [];
  const post = async (company: TestCompany) => {
    const startedAt = performance.now();
    const { status } = await postInvoice(company, prefer);
    times.push(performance.now() - startedAt);
    return status;
  };
  const answers: Promise<number>[] = [];
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    for (const company of companies) answers.push(post(company));
    await new Promise(resolve => setTimeout(resolve, 1000 / perSecond));
  }
  const statuses = await Promise.all(answers);
  times.sort((a, b) => a - b);
  return { statuses, p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? 0 };
}

/** Locks the company's items, as a session of an operator would. Returns their release. */
export function lockItems(stack: Stack, { companyId }: TestCompany): Promise<() => Promise<void>> {
  return lockRows(stack, 'SELECT 1 FROM items WHERE company_id = $1 FOR UPDATE', companyId);
}

/**
 * Locks the company's row, so that workers settle none of its writes. Web reads it and persists
 * jobs as usual. Returns the release.
 */
export function lockCompany(stack: Stack, companyId: string): Promise<() => Promise<void>> {
  return lockRows(stack, 'SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE', companyId);
}

export async function lockRows(
  stack: Stack,
  sql: string,
  id: string,
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(sql, [id]);
  return () => client.end();
}
