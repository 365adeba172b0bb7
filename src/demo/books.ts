// The demo company's books: how its invoices are paid, credited and voided, in the order of time.
// Customers pay what is due by then.
import type { LedgerPayload } from '../ledger/payload.js';
import type { SourceRequest } from '../ledger/schema.js';
import { Agenda } from './agenda.js';
import { fromMajor, planCredit, toMajor } from './amounts.js';
import { DAY_MS, later } from './calendar.js';
import { CUSTOMERS, type Customer } from './customers.js';
import { type Credit, DEPOSITS, type Deposit, EXCEPTIONS, type Exception } from './exceptions.js';
import { type Receivable, Receivables, settle } from './receivables.js';
import { dayOf, type OnHand, type Sale, saleKey } from './sales.js';
import type { Write } from './steps.js';

/** Between two transfers of a customer who pays several invoices together. */
const TRANSFER_DAYS = 14;
/** A payment is up to so many days early or late. */
const MAX_EARLY_DAYS = 3;
/** From an invoice to its payment at the counter. */
const AT_ONCE_MS = 600_000;
/** The transfers of a day arrive at eleven. */
const TRANSFER_TIME_DAYS = 11 / 24;
const CREDIT_DAYS = 5;
const FIRST_HALF_DAYS = 7;
const SECOND_TRANSFER_DAYS = 2;
/** Until money that was too much is moved or goes back. */
const REST_DAYS = 9;
const BOUNCE_DAYS = 5;
/** From a bounced debit to the transfer that replaces it. */
const REPLACEMENT_DAYS = 12;
/** In minor units: an overpayment is rounded up to a multiple of it. */
const ROUND_AMOUNT = 5_000n;

/** How the bank's ids begin. Cash and cheques have none. */
const BANK_IDS: Readonly<Record<string, string>> = {
  bank_transfer: 'ACH',
  direct_debit: 'DD',
  card: 'POS',
};

export class Books {
  readonly #agenda = new Agenda<Write>();
  readonly #receivables = new Receivables();
  readonly #exceptions = [...EXCEPTIONS];
  readonly #onHand: OnHand;
  readonly #random: () => number;
  #lastWrite = 0;

  /** Goods that come back are added to `onHand`. */
  constructor(start: Date, days: number, onHand: OnHand, random: () => number) {
    this.#onHand = onHand;
    this.#random = random;
    for (const [place, customer] of CUSTOMERS.filter(each => each.paysTogether).entries())
      for (let day = 2 * place + 1; day <= days; day += TRANSFER_DAYS)
        this.#agenda.plan(later(start, day + TRANSFER_TIME_DAYS), at =>
          this.#payTogether(customer, at),
        );
    for (const deposit of DEPOSITS)
      this.#agenda.plan(later(start, deposit.day + TRANSFER_TIME_DAYS), at =>
        this.#payDeposit(deposit, at),
      );
  }

  /** Plans what happens to an invoice. Goods come back at `returnsAt`, those of all customers. */
  record(sale: Sale, returnsAt: Date): void {
    const invoice = this.#receivables.add(sale);
    const exception = this.#takeException(sale);
    if (exception?.kind === 'void') {
      this.#agenda.plan(returnsAt, at => this.#void(invoice, exception.reason, at));
      return;
    }
    if (exception?.kind === 'credit')
      this.#agenda.plan(exception.restock ? returnsAt : later(sale.at, CREDIT_DAYS), at =>
        this.#credit(invoice, exception, at),
      );
    const { paysAfter, paysTogether } = sale.customer;
    if (paysTogether) return;
    if (exception?.kind === 'paidInHalves')
      this.#agenda.plan(later(sale.at, FIRST_HALF_DAYS), at =>
        this.#pay([invoice], at, { extra: -invoice.due / 2n }),
      );
    const early = Math.round((2 * this.#random() - 1) * MAX_EARLY_DAYS);
    const atOnce = new Date(sale.at.getTime() + AT_ONCE_MS);
    const paidAt = paysAfter === 0 ? atOnce : later(sale.at, paysAfter + early);
    this.#agenda.plan(paidAt, at => this.#payOne(invoice, exception, at));
  }

  /** The entries since the last call, in order. */
  until(end: Date): Write[] {
    return this.#agenda.runUntil(end);
  }

  #takeException({ index, customer, request: { items } }: Sale): Exception | undefined {
    if (customer.paysTogether || items[0]?.name === 'Delivery') return undefined;
    const place = this.#exceptions.findIndex(
      ({ from, method = customer.method }) => from <= index && method === customer.method,
    );
    return place < 0 ? undefined : this.#exceptions.splice(place, 1)[0];
  }

  #payTogether({ name, paysAfter }: Customer, at: Date): Write | null {
    const latest = new Date(at.getTime() - paysAfter * DAY_MS);
    const invoices = this.#receivables.dueOf(name).filter(({ sale }) => sale.at <= latest);
    return invoices.length === 0 ? null : this.#pay(invoices, at);
  }

  /** A payment as usual, or with what is unusual about it and what follows. */
  #payOne(invoice: Receivable, exception: Exception | undefined, at: Date): Write | null {
    const { due } = invoice;
    if (due === 0n) return null;
    const plan = (days: number, run: (at: Date) => Write | null) =>
      this.#agenda.plan(later(at, days), run);
    switch (exception?.kind) {
      case 'overpaid': {
        const extra = ROUND_AMOUNT - (due % ROUND_AMOUNT);
        const payment = this.#pay([invoice], at, { extra });
        const source = { paymentId: payment.key };
        const { customer } = invoice.sale;
        if (exception.rest === 'refunded')
          plan(REST_DAYS, then => this.#refund(source, extra, customer, then));
        if (exception.rest === 'allocated')
          plan(REST_DAYS, then => this.#allocate(source, extra, customer.name, then));
        return payment;
      }
      case 'paidTwice':
        plan(SECOND_TRANSFER_DAYS, then => this.#payAgain(invoice, due, then));
        return this.#pay([invoice], at);
      case 'bounced': {
        const payment = this.#pay([invoice], at);
        plan(BOUNCE_DAYS, then => this.#bounce(invoice, payment, due, then));
        return payment;
      }
      default:
        return this.#pay([invoice], at);
    }
  }

  /** Pays what is due on invoices of one customer, and `extra` more or (negative) less. */
  #pay(
    invoices: readonly Receivable[],
    at: Date,
    { extra = 0n, ...details }: { extra?: bigint; method?: string } = {},
  ): Write {
    const amount = invoices.reduce((sum, { due }) => sum + due, extra);
    settle(invoices, amount);
    const { customer } = (invoices[0] as Receivable).sale;
    const named = invoices.map(({ number }) => ({ number }));
    return this.#receive(customer, amount, at, { ...details, invoices: named });
  }

  #payAgain({ sale: { customer }, number }: Receivable, amount: bigint, at: Date): Write {
    const note = `${number} is paid already`;
    const payment = this.#receive(customer, amount, at, { note });
    this.#agenda.plan(later(at, REST_DAYS), then =>
      this.#refund({ paymentId: payment.key }, amount, customer, then),
    );
    return payment;
  }

  #payDeposit({ customerName, amount, note, allocatedAfter }: Deposit, at: Date): Write {
    const customer = CUSTOMERS.find(({ name }) => name === customerName) as Customer;
    const payment = this.#receive(customer, fromMajor(amount), at, { note });
    if (allocatedAfter !== null)
      this.#agenda.plan(later(at, allocatedAfter), then =>
        this.#allocate({ paymentId: payment.key }, fromMajor(amount), customerName, then),
      );
    return payment;
  }

  #bounce(invoice: Receivable, payment: Write, amount: bigint, at: Date): Write {
    invoice.due += amount;
    this.#agenda.plan(later(at, REPLACEMENT_DAYS), then =>
      this.#pay([invoice], then, { method: 'bank_transfer' }),
    );
    const reason = 'Returned by the bank: insufficient funds';
    const request = { paymentId: payment.key, date: dayOf(at), reason };
    return this.#write(at, { type: 'payment.reverse', ...request });
  }

  #receive({ name, method }: Customer, amount: bigint, at: Date, details: object): Write {
    const request = {
      type: 'payment.record' as const,
      amount: toMajor(amount),
      date: dayOf(at),
      customerName: name,
      method,
      ...details,
    };
    const bank = BANK_IDS[request.method];
    const externalId = `${bank}-${request.date.replaceAll('-', '')}-${1000 + this.#lastWrite}`;
    return this.#write(at, bank === undefined ? request : { ...request, externalId });
  }

  #refund(source: SourceRequest, amount: bigint, { method }: Customer, at: Date): Write {
    const request = { ...source, amount: toMajor(amount), date: dayOf(at), method };
    return this.#write(at, { type: 'refund.record', ...request });
  }

  /** To what the customer has due by now, the oldest first. */
  #allocate(source: SourceRequest, rest: bigint, customerName: string, at: Date): Write | null {
    const open = this.#receivables.dueOf(customerName);
    const before = open.map(({ due }) => due);
    settle(open, rest);
    const paid = open.filter(({ due }, index) => due !== before[index]);
    if (paid.length === 0) return null;
    const invoices = paid.map(({ number }) => ({ number }));
    return this.#write(at, { type: 'allocation.make', ...source, invoices, date: dayOf(at) });
  }

  #void(invoice: Receivable, reason: string, at: Date): Write {
    invoice.due = 0n;
    const { index, request } = invoice.sale;
    this.#takeBack(request.items);
    const date = dayOf(at);
    return this.#write(at, { type: 'invoice.void', invoiceId: saleKey(index), date, reason });
  }

  #credit(invoice: Receivable, exception: Credit, at: Date): Write {
    const { sale, pricing } = invoice;
    const { reason, restock, note } = exception;
    const { items, total, goods } = planCredit(sale.request, pricing, exception);
    const rest = settle([invoice], total);
    if (restock) this.#takeBack(goods);
    const credit = this.#write(at, {
      type: 'creditNote.create',
      invoiceId: saleKey(sale.index),
      date: dayOf(at),
      reason,
      ...(items === undefined ? {} : { items }),
      ...(restock === undefined ? {} : { restock }),
      ...(note === undefined ? {} : { note }),
    });
    const source = { creditNoteId: credit.key };
    if (rest > 0n)
      this.#agenda.plan(later(at, 1), then => this.#refund(source, rest, sale.customer, then));
    return credit;
  }

  #takeBack(goods: readonly { readonly name: string; readonly qty: number }[]): void {
    for (const { name, qty } of goods) {
      const onHand = this.#onHand.get(name);
      if (onHand !== undefined) this.#onHand.set(name, onHand + qty);
    }
  }

  #write(at: Date, request: LedgerPayload): Write {
    this.#lastWrite += 1;
    return { key: `demo-entry-${this.#lastWrite}`, at, type: request.type, request };
  }
}
