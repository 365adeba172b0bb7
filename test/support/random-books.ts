// Random books of a company: invoices, payments, credit notes, voids, reversals, refunds and
// allocations with random dates, all by the API. The seed decides them.
import { createRandom, type Random } from '../faults/random.js';
import type { Json, Response } from './client.js';
import type { TestCompany } from './factories.js';

/** The days of the books: from the first one, so many. */
export const FIRST_DAY = '2026-01-01';
export const DAYS = 120;

export function dayOf(index: number): string {
  return new Date(Date.parse(FIRST_DAY) + index * 86_400_000).toISOString().slice(0, 10);
}

export interface RandomBooks {
  readonly invoices: readonly Json[];
  /** In order of sequence. */
  readonly entries: readonly BookEntry[];
}

export interface BookEntry {
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly date: string;
  /** The payment or credit note: the entry's own id, or that of its source. */
  readonly sourceId: string;
  /** The response: the payment, credit note or refund after the entry. */
  readonly body: Json;
}

export interface BookOptions {
  readonly seed: number;
  readonly invoices: number;
  /** Requests that write entries. Some are refused. */
  readonly requests: number;
  /** Spellings of the customers' names. */
  readonly names: readonly string[];
}

export async function writeRandomBooks(
  company: TestCompany,
  { seed, invoices: count, requests, names }: BookOptions,
): Promise<RandomBooks> {
  const random = createRandom(seed);
  const invoices = await issueRandom(company, random, count, names);
  const entries: BookEntry[] = [];
  const funds: Json[] = [];
  for (let request = 0; request < requests; request += 1) {
    const write = random.pick(funds.length < 5 ? FIRST_WRITES : WRITES);
    const date = dayOf(random.between(0, DAYS - 1));
    const entry = await write({ company, random, invoices, funds, date });
    if (!entry) continue;
    entries.push(entry);
    if (entry.body.id === entry.sourceId && !funds.some(({ id }) => id === entry.sourceId))
      funds.push({ ...entry.body, isPayment: entry.type === 'payment' });
  }
  return { invoices, entries };
}

async function issueRandom(
  company: TestCompany,
  random: Random,
  count: number,
  names: readonly string[],
): Promise<Json[]> {
  const requests = Array.from({ length: count }, () => {
    const start = random.between(0, DAYS - 1);
    const isDue = random.next() < 0.8;
    return {
      customerName: random.pick(names),
      date: dayOf(start),
      ...(isDue ? { dueDate: dayOf(start + random.between(0, 60)) } : {}),
      items: [{ name: 'Work', qty: random.between(0, 9), price: random.between(0, 999) / 10 }],
    };
  }).map(request => ({
    ...request,
    items: request.items.map(item => ({ ...item, qty: Math.max(item.qty, 1) })),
  }));
  const invoices: Json[] = [];
  for (let start = 0; start < count; start += 100) {
    const body = { invoices: requests.slice(start, start + 100) };
    const response = await company.post('/invoices/batch', body);
    invoices.push(...response.body.results.map(({ invoice }: Json) => invoice));
  }
  return invoices;
}

interface Write {
  readonly company: TestCompany;
  readonly random: Random;
  readonly invoices: readonly Json[];
  readonly funds: readonly Json[];
  readonly date: string;
}

type WriteEntry = (write: Write) => Promise<BookEntry | null>;

/** The entry of a response; null if the request was refused. */
function entryOf(
  { status, body }: Response,
  entry: Omit<BookEntry, 'body' | 'sourceId'>,
  sourceId: string = body.id,
): BookEntry | null {
  if (status === 201) return { ...entry, sourceId, body };
  if (status === 409 || status === 422) return null;
  throw new Error(`${entry.type} is ${status}: ${JSON.stringify(body)}`);
}

const cents = (random: Random, max: number) => random.between(1, max * 10) / 10;

/** Invoices that may be of one customer. */
function someOf(random: Random, invoices: readonly Json[], customerKey: string): Json[] {
  const own = invoices.filter(({ customerName }) => customerName.toLowerCase() === customerKey);
  return random.shuffle(own).slice(0, random.between(1, 3));
}

const pay: WriteEntry = async ({ company, random, invoices, date }) => {
  const { customerName } = random.pick(invoices);
  const named = random.next() < 0.8 ? someOf(random, invoices, customerName.toLowerCase()) : [];
  const body = {
    amount: cents(random, 600),
    date,
    customerName,
    invoices: named.map(({ id }) =>
      random.next() < 0.5 ? { invoiceId: id } : { invoiceId: id, amount: cents(random, 60) },
    ),
  };
  const paid = await company.post('/payments', body);
  const isSettled = paid.body.code === 'amount_exceeds_due' && random.next() < 0.5;
  // Money without an invoice is sent without one.
  const answer = isSettled ? await company.post('/payments', { ...body, invoices: [] }) : paid;
  return entryOf(answer, { type: 'payment', date });
};

const credit: WriteEntry = async ({ company, random, invoices, date }) => {
  const invoice = random.pick(invoices);
  const day = date < invoice.date ? invoice.date : date;
  const items = [{ line: 1, amount: cents(random, 40) }];
  const body = { invoiceId: invoice.id, date: day, reason: 'price', items };
  return entryOf(await company.post('/credit-notes', body), { type: 'creditNote', date: day });
};

const cancel: WriteEntry = async ({ company, random, invoices, date }) => {
  const { id, date: issued } = random.pick(invoices);
  const day = date < issued ? issued : date;
  const response = await company.post(`/invoices/${id}/void`, { date: day });
  return entryOf(response, { type: 'creditNote', date: day });
};

const reverse: WriteEntry = async ({ company, random, funds, date }) => {
  const { id, isPayment } = random.pick(funds);
  if (!isPayment) return null;
  const response = await company.post(`/payments/${id}/reversal`, { date });
  return entryOf(response, { type: 'reversal', date });
};

const named = ({ id, isPayment }: Json) => (isPayment ? { paymentId: id } : { creditNoteId: id });

const refund: WriteEntry = async ({ company, random, funds, date }) => {
  const source = random.pick(funds);
  const body = { ...named(source), amount: cents(random, 20), date };
  return entryOf(await company.post('/refunds', body), { type: 'refund', date }, source.id);
};

const allocate: WriteEntry = async ({ company, random, invoices, funds, date }) => {
  const source = random.pick(funds);
  const parts = someOf(random, invoices, source.customerName.toLowerCase()).map(({ id }) => {
    if (random.next() < 0.4) return { invoiceId: id };
    return { invoiceId: id, amount: cents(random, 30) };
  });
  // Takes back a part of an earlier allocation.
  const given = (
    await company.get(`/${source.isPayment ? 'payments' : 'credit-notes'}/${source.id}`)
  ).body.allocations[0];
  const isTaken = given && random.next() < 0.5;
  const taken = isTaken ? [{ invoiceId: given.invoiceId, amount: -given.amount }] : [];
  const others = parts.filter(({ invoiceId }) => invoiceId !== given?.invoiceId);
  const body = { ...named(source), date, invoices: [...taken, ...others] };
  return entryOf(await company.post('/allocations', body), { type: 'allocation', date });
};

const FIRST_WRITES = [pay, credit];
const WRITES = [
  pay,
  pay,
  pay,
  credit,
  cancel,
  reverse,
  refund,
  refund,
  allocate,
  allocate,
  allocate,
];
