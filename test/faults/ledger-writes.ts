// Seeded writes of the ledger. Most are valid; some ask for more than there is, and must be
// refused.
import type { Random } from './random.js';
import type { InvoiceTarget, SourceTarget, Targets } from './targets.js';

export const LEDGER_KINDS = [
  'payment',
  'reversal',
  'allocation',
  'refund',
  'creditNote',
  'void',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface Request {
  /** Below /api/external. */
  readonly path: string;
  readonly body: Record<string, unknown>;
}

type Known = ReturnType<Targets['of']>;

/** Transfers with the same id must be recorded once. */
const TRANSFERS = 500;
/** Payments that name no invoice, so that there is money to allocate and refund. */
const ADVANCES = 0.4;
/** Credit notes of an invoice that has none: the others soon have nothing left to credit. */
const FIRST_CREDITS = 0.3;
/** New records become customers before they are merged. */
const NEWEST_RECORDS = 6;
const REASONS = ['return', 'damaged', 'price', 'order_change', 'other'];

/**
 * A write of this kind, or a payment in advance while there is nothing that it could concern. The
 * row that it writes has the key as its reference or its reason; an allocation's has neither.
 */
export function ledgerWrite(kind: LedgerKind, key: string, known: Known, random: Random): Request {
  const { invoices, sources, unused } = known;
  const payments = sources.filter(({ type }) => type === 'payment');
  const date = day(random);
  if (kind === 'void') {
    const invoice = unused.pop();
    if (invoice) return voiding(invoice, key, random);
  }
  if (kind === 'reversal' && payments.length > 0)
    return {
      path: `/payments/${random.pick(payments).id}/reversal`,
      body: { date, reason: key },
    };
  // Most refunds are of money that was left when the payment or credit note was answered.
  const withUsage = sources.filter(({ unallocated }) => unallocated > 0);
  if (kind === 'refund' && sources.length > 0)
    return refund(random.pick(withUsage.length > 0 ? withUsage : sources), key, random);
  if (kind === 'allocation' && sources.length > 0 && invoices.length > 0)
    return allocation(random.pick(sources), invoices, random);
  if (kind === 'creditNote' && invoices.length > 0) {
    const isFirst = random.next() < FIRST_CREDITS;
    return creditNote((isFirst ? unused.pop() : null) ?? random.pick(invoices), key, random);
  }
  if (kind === 'payment' && invoices.length > 0 && random.next() >= ADVANCES)
    return payment(invoices, key, random);
  return advance(key, known, random);
}

/** Money before any invoice. */
export function advance(key: string, known: Known, random: Random): Request {
  const customerName = anyCustomer(known, random);
  const body = { amount: cents(1, 100_000, random), date: day(random), customerName };
  return { path: '/payments', body: { ...body, reference: key } };
}

export function customer(random: Random): string {
  return `Customer ${random.between(1, 6)}`;
}

/** One of these customers, or by the name of one of the newest records. */
export function anyCustomer({ customers }: Known, random: Random): string {
  const newest = customers.slice(-NEWEST_RECORDS);
  return newest.length > 0 && random.next() < 0.15 ? random.pick(newest).name : customer(random);
}

export function day(random: Random): string {
  return `2026-11-${String(random.between(1, 28)).padStart(2, '0')}`;
}

function payment(invoices: readonly InvoiceTarget[], key: string, random: Random): Request {
  const named = ofOneCustomer(random.pick(invoices), invoices, random);
  const hasAmounts = random.next() < 0.5;
  const amounts = named.map(({ total }) => cents(1, Math.max(1, total * 60), random));
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const body = {
    amount: hasAmounts ? round(sum + random.between(0, 5)) : cents(1, 500_000, random),
    date: day(random),
    invoices: named.map(({ id }, index) =>
      hasAmounts ? { invoiceId: id, amount: amounts[index] } : { invoiceId: id },
    ),
    reference: key,
  };
  const hasTransfer = random.next() < 0.2;
  const transfer = hasTransfer ? { externalId: `T-${random.between(1, TRANSFERS)}` } : {};
  return { path: '/payments', body: { ...body, ...transfer } };
}

/**
 * Takes back part of the first amount that the source gave, or gives part of its rest, or both.
 * Amounts are always given, so the judge knows how much each allocation moved.
 */
function allocation(
  source: SourceTarget,
  invoices: readonly InvoiceTarget[],
  random: Random,
): Request {
  const { id, customerName, allocations, unallocated } = source;
  const part = (amount: number) => cents(1, Math.max(1, amount * 40), random);
  const taken = allocations
    .slice(0, 1)
    .filter(() => unallocated === 0 || random.next() < 0.5)
    .map(({ invoiceId, amount }) => ({ invoiceId, amount: -part(amount) }));
  const own = invoices.filter(invoice => invoice.customerName === customerName);
  const others = own.filter(invoice => invoice.id !== taken[0]?.invoiceId);
  const receiver = random.pick(others.length > 0 ? others : invoices);
  const given = { invoiceId: receiver.id, amount: part(Math.min(unallocated, receiver.total)) };
  const hasBoth = unallocated > 0 && given.invoiceId !== taken[0]?.invoiceId;
  const named = hasBoth || taken.length === 0 ? [...taken, given] : taken;
  return { path: '/allocations', body: { ...sourceOf(source, id), invoices: named } };
}

function refund(source: SourceTarget, key: string, random: Random): Request {
  const amount = cents(1, Math.max(1, source.unallocated * 30), random);
  const body = { ...sourceOf(source, source.id), amount, date: day(random), reference: key };
  return { path: '/refunds', body };
}

function creditNote({ id, items: lines }: InvoiceTarget, key: string, random: Random): Request {
  const restock = random.next() < 0.7;
  // Not before any invoice's own date.
  const body = { invoiceId: id, date: '2026-11-28', reason: random.pick(REASONS), restock };
  const details = { ...body, reference: key };
  if (random.next() < 0.2) return { path: '/credit-notes', body: details };
  const items = Array.from({ length: random.between(1, 2) }, () => {
    const line = random.between(1, lines.length);
    const { qty = 1, amount = 1 } = lines[line - 1] ?? {};
    return random.next() < 0.7
      ? { line, qty: random.between(1, Math.max(1, Math.floor(qty * 4))) / 4 }
      : { line, amount: cents(1, Math.max(1, amount * 40), random) };
  });
  return { path: '/credit-notes', body: { ...details, items } };
}

function voiding({ id }: InvoiceTarget, key: string, random: Random): Request {
  const restock = random.next() < 0.7;
  return { path: `/invoices/${id}/void`, body: { date: '2026-11-28', reason: key, restock } };
}

/** One to three invoices, each once. */
function ofOneCustomer(
  first: InvoiceTarget,
  invoices: readonly InvoiceTarget[],
  random: Random,
): InvoiceTarget[] {
  const others = invoices.filter(
    ({ id, customerName }) => id !== first.id && customerName === first.customerName,
  );
  return [first, ...random.shuffle(others).slice(0, random.between(0, 2))];
}

function sourceOf({ type }: SourceTarget, id: string): Record<string, string> {
  return type === 'payment' ? { paymentId: id } : { creditNoteId: id };
}

function cents(from: number, to: number, random: Random): number {
  return random.between(from, Math.floor(to)) / 100;
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
