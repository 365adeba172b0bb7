// The fault harness's judge of holds and credit limits, on facts made by hand.
import { expect } from 'chai';
import type { RecordJson } from './changes.js';
import { type CreditWrite, judgeCredit } from './credit.js';
import type { BilledRow, EntryRow, NameVersionRow, VersionRow } from './rows.js';

const companyId = 'C';

/** Facts at the given milliseconds. */
class Facts {
  readonly versions: VersionRow[] = [];
  readonly nameVersions: NameVersionRow[] = [];
  readonly invoices: BilledRow[] = [];
  readonly entries: EntryRow[] = [];
  readonly settledAt = new Map<string, number>();
  readonly writes: CreditWrite[] = [];

  record(at: number, customerId: string, fields: Partial<RecordJson>): this {
    const none = { externalId: null, aliases: [], note: null, creditLimit: null, updatedAt: '' };
    const state = { hold: false, archived: false, mergedInto: null };
    const body = { ...none, ...state, id: customerId, name: customerId, ...fields };
    this.versions.push({ companyId, customerId, version: this.versions.length, at, body });
    return this;
  }

  name(at: number, key: string, customerId: string | null): this {
    this.nameVersions.push({ companyId, key, at, customerId });
    return this;
  }

  invoice(at: number, key: string, total: number, body: object = {}): this {
    const number = this.invoices.length + 1;
    const id = `${number}`;
    this.invoices.push({ companyId, id, number, key, total, at });
    const sent = { key: id, jobId: id, body: { ...body }, sentAt: at - 100 };
    this.writes.push({ ...sent, status: 201, result: { id } });
    return this;
  }

  /** Negative amounts are payments and credit notes. */
  entry(at: number, key: string, added: number): this {
    this.entries.push({ companyId, sequence: this.entries.length + 1, key, added, at });
    return this;
  }

  refusal(at: number, problem: object): this {
    const jobId = `refused at ${at}`;
    this.settledAt.set(jobId, at);
    const sent = { key: jobId, jobId, body: {}, sentAt: at - 100 };
    this.writes.push({ ...sent, status: 409, result: { ...problem } });
    return this;
  }

  errors(isRefusing = true): string[] {
    return judgeCredit(this, this.writes, isRefusing);
  }
}

describe("the fault harness's judge of credit", () => {
  let facts: Facts;

  /** Ann may owe 100. */
  beforeEach(() => {
    facts = new Facts().record(0, 'ann', { creditLimit: 100 }).name(0, 'ann', 'ann');
  });

  it('accepts invoices up to the limit, after payments and above a limit that warns', () => {
    facts.invoice(1000, 'ann', 60).invoice(1100, 'ann', 40).invoice(1150, 'ann', 0);
    facts.entry(1200, 'ann', -30).invoice(1300, 'ann', 30).invoice(1400, 'bob', 1000);
    expect(facts.errors()).to.be.empty;
    facts.invoice(1500, 'ann', 0.01);
    expect(facts.errors()).to.have.length(1);
    expect(facts.errors(false)).to.be.empty;
  });

  it('counts refunds and ignored limits', () => {
    facts.invoice(1000, 'ann', 500, { ignoreCredit: true });
    facts.entry(1100, 'ann', -500).entry(1200, 'ann', 90);
    expect(facts.errors()).to.be.empty;
    facts.invoice(1300, 'ann', 10.01);
    expect(facts.errors()).to.have.length(1);
  });

  it('uses the limit and the hold in force', () => {
    facts.record(2000, 'ann', { creditLimit: 10 }).invoice(1990, 'ann', 90);
    expect(facts.errors()).to.be.empty;
    facts.invoice(2200, 'ann', 1);
    expect(facts.errors()).to.have.length(1);
    facts.record(3000, 'ann', { hold: true }).invoice(3200, 'ann', 0);
    expect(facts.errors(false)).to.have.length(1);
    facts.record(4000, 'ann', { hold: true, archived: true }).invoice(4200, 'ann', 500);
    expect(facts.errors(false)).to.have.length(1);
  });

  it('accepts either order of facts of the same millisecond', () => {
    facts.invoice(1000, 'ann', 100).entry(1200, 'ann', -50).invoice(1200, 'ann', 50);
    facts.record(2000, 'ann', { creditLimit: 1000 }).invoice(2000, 'ann', 500);
    expect(facts.errors()).to.be.empty;
  });

  it('adds what the names of a merged record owe', () => {
    facts.record(0, 'bob', {}).name(0, 'bob', 'bob').invoice(1000, 'bob', 80);
    facts.invoice(1100, 'ann', 90);
    facts.record(2000, 'bob', { archived: true, mergedInto: 'ann' }).name(2000, 'bob', 'ann');
    expect(facts.errors()).to.be.empty;
    facts.invoice(2200, 'bob', 1);
    expect(facts.errors()).to.have.length(1);
  });

  it('expects a reason for each refusal', () => {
    const limit = { code: 'credit_limit_exceeded', customerId: 'ann', creditLimit: 100 };
    const figures = { outstanding: 80, unallocated: 10, requested: 31, available: 30 };
    const refuse = (problem: object) => {
      const own = new Facts().record(0, 'ann', { creditLimit: 100 }).name(0, 'ann', 'ann');
      own.invoice(1000, 'ann', 80).entry(1500, 'ann', -10);
      return own.refusal(1550, { ...limit, ...figures, ...problem }).errors();
    };
    expect(refuse({})).to.be.empty;
    expect(refuse({ outstanding: 80, unallocated: 0, available: 20 })).to.be.empty;
    expect(refuse({ creditLimit: 90, available: 20 })).to.have.length(1);
    expect(refuse({ requested: 30 })).to.have.length(1);
    expect(refuse({ outstanding: 95, available: 15 })).to.have.length(1);
    expect(refuse({ code: 'customer_on_hold' })).to.have.length(1);
  });

  it('expects a name of the record that a request identifies', () => {
    const invoice = (at: number, key: string) =>
      new Facts()
        .record(0, 'ann', {})
        .record(900, 'ann', { name: 'Anna' })
        .name(0, 'ann', 'ann')
        .invoice(at, key, 1, { customerId: 'ann' })
        .errors();
    expect(invoice(1050, 'anna')).to.be.empty;
    expect(invoice(1050, 'ann'), 'the change may be uncommitted').to.be.empty;
    expect(invoice(60_000, 'ann')).to.have.length(1);
    expect(invoice(1050, 'bob')).to.have.length(1);
  });
});
