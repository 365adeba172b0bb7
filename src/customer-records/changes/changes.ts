// The records of a company while its row is locked: the ones that a change concerns are read, a
// plan changes them here, and `write` stores what has changed.
import type { Actor } from '../../companies/actor.js';
import { lockCompanies } from '../../companies/lock.js';
import { type CustomerRecord, nameKeys, parseCustomer } from '../../customers/record.js';
import { type ChangedRows, type CustomerVersion, writeChanges } from '../../customers/write.js';
import type { Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import { minorUnits } from '../../platform/values/money.js';
import { codeKey, matchKey } from '../../platform/values/text.js';
import { type CustomerBalances, readBalances } from '../../receivables/dues/balances.js';
import { type ChangesCall, mayActorChangeCredit, refuseCreditChange } from '../credit-changes.js';
import { movesExposure, syncExposures } from '../exposures.js';
import { FreeNumbers } from './free-numbers.js';
import {
  countUses,
  findUsedNames,
  readMergedRecords,
  readRecords,
  type StoredCustomer,
  type Wanted,
} from './read.js';

export interface CompanyCurrency {
  readonly currency: string;
  /** Decimals of the currency. */
  readonly decimals: number;
}

interface CompanyRow {
  readonly currency: string;
  readonly next: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export class CustomerChanges {
  readonly company: CompanyCurrency;
  readonly #companyId: string;
  readonly #call: ChangesCall;
  readonly #tx: Transaction;
  readonly #original = new Map<string, CustomerRecord>();
  readonly #records = new Map<string, CustomerRecord>();
  readonly #versions = new Map<string, number>();
  /** The ids of records by external id, and by the match keys of numbers, names and aliases. */
  readonly #numbers = new Map<string, string>();
  readonly #externalIds = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #written: CustomerVersion[] = [];
  readonly #nameChanges: ChangedRows['nameChanges'][number][] = [];
  /** The records and match keys that were changed since `#now` advanced. */
  readonly #changed = new Set<string>();
  #now: number;
  readonly #freeNumbers: FreeNumbers;

  private constructor(
    call: ChangesCall,
    { currency, next, now }: CompanyRow,
    rows: readonly StoredCustomer[],
    tx: Transaction,
  ) {
    this.#companyId = call.companyId;
    this.#call = call;
    this.company = { currency, decimals: minorUnits(currency) };
    this.#freeNumbers = new FreeNumbers(call.companyId, BigInt(next), tx);
    this.#now = now;
    this.#tx = tx;
    this.#add(rows);
  }

  /**
   * Locks the company and reads the records. Throws Problem `not_found` if there is no such
   * company.
   */
  static async open(
    companyId: string,
    wanted: Wanted,
    changedBy: Actor | null,
    tx: Transaction,
  ): Promise<CustomerChanges> {
    const [[company], rows, mayChangeCredit] = await Promise.all([
      lockCompanies<CompanyRow>([companyId], COMPANY, tx),
      readRecords(companyId, wanted, tx),
      mayActorChangeCredit(companyId, changedBy, tx),
    ]);
    if (!company) throw new Problem('not_found', `There is no company ${companyId}.`);
    return new CustomerChanges({ companyId, changedBy, mayChangeCredit }, company, rows, tx);
  }

  record(id: string): CustomerRecord | undefined {
    return this.#records.get(id);
  }

  /** The record that a merged record ended in, which may have to be read; else the record. */
  async remaining(id: string): Promise<CustomerRecord | undefined> {
    for (let record = this.#records.get(id); ; ) {
      if (!record || record.mergedInto === null) return record;
      if (!this.#records.has(record.mergedInto))
        this.#add(await readRecords(this.#companyId, { ids: [record.mergedInto] }, this.#tx));
      record = this.#records.get(record.mergedInto);
    }
  }

  /** The ids of the records that were merged into a record, or into one of them. */
  async readMerged(id: string): Promise<string[]> {
    const merged = await readMergedRecords(this.#companyId, id, this.#tx);
    this.#add(merged);
    return merged.map(row => row.id);
  }

  withNumber(number: string): string | undefined {
    return this.#numbers.get(matchKey(number));
  }

  withExternalId(externalId: string): string | undefined {
    return this.#externalIds.get(codeKey(externalId));
  }

  withName(name: string): string | undefined {
    return this.#names.get(matchKey(name));
  }

  /** Which of these match keys an invoice or entry has. */
  async usedNames(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    return new Set(await findUsedNames(this.#companyId, keys, this.#tx));
  }

  /** The money that the names of a record owe and have unallocated. */
  balances(keys: readonly string[]): Promise<CustomerBalances> {
    return readBalances(this.#companyId, keys, this.#tx);
  }

  uses(keys: readonly string[]) {
    return countUses(this.#companyId, keys, this.#tx);
  }

  /** The next number that no record has. */
  takeNumber(): Promise<string> {
    return this.#freeNumbers.take(key => this.#numbers.has(key));
  }

  /**
   * Stores a version of each record, all with one time, which becomes their `updatedAt`; a new
   * record's `createdAt`, too. Returns the records as they are then. Throws the Problem of a person
   * who may not change credit, before anything has changed.
   */
  save(...records: readonly CustomerRecord[]): CustomerRecord[] {
    const ids = records.map(({ id }) => id);
    this.#checkCredit(ids, records);
    const keysBefore = new Map<string, string | null>();
    for (const id of ids) for (const key of this.#keysOf(id)) keysBefore.set(key, id);
    const keysAfter = new Map<string, string>();
    for (const record of records) for (const key of nameKeys(record)) keysAfter.set(key, record.id);
    const keys = new Set([...keysBefore.keys(), ...keysAfter.keys()]);
    const moved = [...keys].filter(
      key => (keysBefore.get(key) ?? null) !== (keysAfter.get(key) ?? null),
    );
    const at = this.#takeTime([...ids, ...moved]);
    for (const key of moved)
      this.#nameChanges.push({ key, at, customerId: keysAfter.get(key) ?? null });
    for (const id of ids) this.#remove(id);
    return records.map(record => this.#store(record, at));
  }

  /** Deletes the records. Their last version says so. */
  delete(...ids: readonly string[]): void {
    this.#checkCredit(ids, []);
    const keys = ids.flatMap(id => this.#keysOf(id));
    const at = this.#takeTime([...ids, ...keys]);
    for (const key of keys) this.#nameChanges.push({ key, at, customerId: null });
    for (const id of ids) {
      this.#remove(id);
      this.#written.push({ id, version: this.#takeVersion(id), at, record: null });
    }
  }

  /** Writes the changes. Returns the ids of the records that have changed. */
  async write(): Promise<string[]> {
    if (this.#written.length === 0) return [];
    const ids = [...new Set(this.#written.map(({ id }) => id))];
    await writeChanges(
      {
        companyId: this.#companyId,
        changedBy: this.#call.changedBy,
        nextNumber: this.#freeNumbers.next,
        changedAt: this.#now,
        versions: this.#written,
        nameChanges: this.#nameChanges,
        records: ids.map(id => ({
          before: this.#original.get(id) ?? null,
          after: this.#records.get(id) ?? null,
          version: this.#versions.get(id) ?? 0,
        })),
      },
      this.#tx,
    );
    const moved = ids.filter(id => movesExposure(this.#original.get(id), this.#records.get(id)));
    await syncExposures(this.#companyId, moved, this.#tx);
    return ids;
  }

  #add(rows: readonly StoredCustomer[]): void {
    for (const { id, version, body } of rows) {
      if (this.#versions.has(id)) continue;
      const record = parseCustomer(body);
      this.#versions.set(id, version);
      this.#original.set(id, record);
      this.#put(record);
    }
  }

  #checkCredit(ids: readonly string[], after: readonly CustomerRecord[]): void {
    if (this.#call.mayChangeCredit) return;
    const before = ids.flatMap(id => this.#records.get(id) ?? []);
    refuseCreditChange(before, after);
  }

  #keysOf(id: string): string[] {
    const record = this.#records.get(id);
    return record ? nameKeys(record) : [];
  }

  /** A timestamp later than every version of these records and names. */
  #takeTime(touched: readonly string[]): number {
    if (touched.some(each => this.#changed.has(each))) {
      this.#now += 1;
      this.#changed.clear();
    }
    for (const each of touched) this.#changed.add(each);
    return this.#now;
  }

  #takeVersion(id: string): number {
    const version = (this.#versions.get(id) ?? 0) + 1;
    this.#versions.set(id, version);
    return version;
  }

  #store(record: CustomerRecord, at: number): CustomerRecord {
    const updatedAt = new Date(at).toISOString();
    const createdAt = record.createdAt === '' ? updatedAt : record.createdAt;
    const stored = { ...record, createdAt, updatedAt };
    this.#written.push({
      id: record.id,
      version: this.#takeVersion(record.id),
      at,
      record: stored,
    });
    this.#put(stored);
    return stored;
  }

  #put(record: CustomerRecord): void {
    this.#records.set(record.id, record);
    this.#numbers.set(matchKey(record.number), record.id);
    if (record.externalId !== null) this.#externalIds.set(codeKey(record.externalId), record.id);
    for (const key of nameKeys(record)) this.#names.set(key, record.id);
  }

  #remove(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    this.#records.delete(id);
    this.#numbers.delete(matchKey(record.number));
    if (record.externalId !== null) this.#externalIds.delete(codeKey(record.externalId));
    for (const key of nameKeys(record)) this.#names.delete(key);
  }
}

const COMPANY = {
  columns: `trim(currency) AS currency, next_customer_number AS next, customers_changed_at`,
  computed: `floor(extract(epoch FROM GREATEST(
    date_trunc('milliseconds', clock_timestamp()),
    c.customers_changed_at + interval '1 millisecond'
  )) * 1000)::float8 AS now`,
};
