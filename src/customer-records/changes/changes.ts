// The records of a company while its row is locked: the ones that a change concerns are read, a
// plan changes them here, and `write` stores what has changed.
import type { Actor } from '../../companies/actor.js';
import { lockCompanies } from '../../companies/lock.js';
import { type CustomerRecord, nameKeys, parseCustomer } from '../../customers/record.js';
import type { ChangedRows, CustomerVersion } from '../../customers/write.js';
import type { Transaction } from '../../platform/db/connection.js';
import { minorUnits } from '../../platform/values/money.js';
import { type CustomerBalances, readBalances } from '../../receivables/dues/balances.js';
import { type ChangesCall, mayActorChangeCredit, refuseCreditChange } from '../credit-changes.js';
import { FreeNumbers } from './free-numbers.js';
import {
  COMPANY,
  countUses,
  existing,
  findUsedNames,
  type LockedCompany,
  readCompany,
  readMergedRecords,
  readRecords,
  type StoredCustomer,
  type Wanted,
} from './read.js';
import { RecordIndex } from './record-index.js';
import { writeChangesInSteps } from './write-in-steps.js';

export interface CompanyCurrency {
  readonly currency: string;
  /** Decimals of the currency. */
  readonly decimals: number;
}

export class CustomerChanges {
  readonly company: CompanyCurrency;
  readonly #companyId: string;
  readonly #call: ChangesCall;
  /** Undefined for a preview, which writes nothing. */
  readonly #tx: Transaction | undefined;
  readonly #original = new Map<string, CustomerRecord>();
  readonly #index = new RecordIndex();
  readonly #versions = new Map<string, number>();
  readonly #written: CustomerVersion[] = [];
  readonly #nameChanges: ChangedRows['nameChanges'][number][] = [];
  /** The records and match keys that were changed since `#now` advanced. */
  readonly #changed = new Set<string>();
  #now: number;
  readonly #nextEvent: string;
  readonly #freeNumbers: FreeNumbers;

  private constructor(
    call: ChangesCall,
    { currency, next, now, nextEvent }: LockedCompany,
    rows: readonly StoredCustomer[],
    tx?: Transaction,
  ) {
    this.#companyId = call.companyId;
    this.#call = call;
    this.company = { currency, decimals: minorUnits(currency) };
    this.#freeNumbers = new FreeNumbers(call.companyId, BigInt(next), tx);
    this.#now = now;
    this.#nextEvent = nextEvent;
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
      lockCompanies<LockedCompany>([companyId], COMPANY, tx),
      readRecords(companyId, wanted, tx),
      mayActorChangeCredit(companyId, changedBy, tx),
    ]);
    const call = { companyId, changedBy, mayChangeCredit };
    return new CustomerChanges(call, existing(company, companyId), rows, tx);
  }

  /** For a preview: nothing is locked, so nothing may be written. Throws as `open`. */
  static async openUnlocked(companyId: string, changedBy: Actor): Promise<CustomerChanges> {
    const [company, mayChangeCredit] = await Promise.all([
      readCompany(companyId),
      mayActorChangeCredit(companyId, changedBy),
    ]);
    return new CustomerChanges({ companyId, changedBy, mayChangeCredit }, company, []);
  }

  /** Reads further records, except for those that are known. */
  async load(wanted: Wanted): Promise<void> {
    this.#add(await readRecords(this.#companyId, wanted, this.#tx));
  }

  record(id: string): CustomerRecord | undefined {
    return this.#index.get(id);
  }

  /** The record that a merged record ended in, which may have to be read; else the record. */
  async remaining(id: string): Promise<CustomerRecord | undefined> {
    for (let record = this.#index.get(id); ; ) {
      if (!record || record.mergedInto === null) return record;
      if (!this.#index.get(record.mergedInto)) await this.load({ ids: [record.mergedInto] });
      record = this.#index.get(record.mergedInto);
    }
  }

  /** The ids of the records that were merged into a record, or into one of them. */
  async readMerged(id: string): Promise<string[]> {
    const merged = await readMergedRecords(this.#companyId, id, this.#tx);
    this.#add(merged);
    return merged.map(row => row.id);
  }

  withNumber(number: string): string | undefined {
    return this.#index.withNumber(number);
  }

  withExternalId(externalId: string): string | undefined {
    return this.#index.withExternalId(externalId);
  }

  withName(name: string): string | undefined {
    return this.#index.withName(name);
  }

  async usedNames(keys: readonly string[]): Promise<Set<string>> {
    return new Set(await findUsedNames(this.#companyId, keys, this.#tx));
  }

  balances(keys: readonly string[]): Promise<CustomerBalances> {
    return readBalances(this.#companyId, keys, this.#tx);
  }

  uses(keys: readonly string[]) {
    return countUses(this.#companyId, keys, this.#tx);
  }

  takeNumber(): Promise<string> {
    return this.#freeNumbers.take(key => this.#index.hasNumber(key));
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
    for (const id of ids) this.#index.remove(id);
    return records.map(record => this.#store(record, at));
  }

  /** Deletes the records. Their last version says so. */
  delete(...ids: readonly string[]): void {
    this.#checkCredit(ids, []);
    const keys = ids.flatMap(id => this.#keysOf(id));
    const at = this.#takeTime([...ids, ...keys]);
    for (const key of keys) this.#nameChanges.push({ key, at, customerId: null });
    for (const id of ids) {
      const { number = '', name = '' } = this.#index.get(id) ?? {};
      this.#index.remove(id);
      const version = this.#takeVersion(id);
      this.#written.push({ id, version, at, record: null, deleted: { id, number, name } });
    }
  }

  /** The changed records, in order of their first change, with their versions around it. */
  changedVersions(): { readonly id: string; readonly before: number; readonly after: number }[] {
    const counts = new Map<string, number>();
    for (const { id } of this.#written) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts].map(([id, count]) => {
      const after = this.#versions.get(id) ?? 0;
      return { id, before: after - count, after };
    });
  }

  /** Writes the changes in steps. Returns the ids of the records that have changed. */
  async write(): Promise<string[]> {
    if (!this.#tx) throw new Error('a preview of changed customers cannot be written');
    const ids = this.changedVersions().map(({ id }) => id);
    await writeChangesInSteps(
      {
        companyId: this.#companyId,
        changedBy: this.#call.changedBy,
        currency: this.company.currency,
        nextEvent: this.#nextEvent,
        nextNumber: this.#freeNumbers.next,
        changedAt: this.#now,
        versions: this.#written,
        nameChanges: this.#nameChanges,
        records: ids.map(id => ({
          before: this.#original.get(id) ?? null,
          after: this.#index.get(id) ?? null,
          version: this.#versions.get(id) ?? 0,
        })),
      },
      this.#tx,
    );
    return ids;
  }

  #add(rows: readonly StoredCustomer[]): void {
    for (const { id, version, body } of rows) {
      if (this.#versions.has(id)) continue;
      const record = parseCustomer(body);
      this.#versions.set(id, version);
      this.#original.set(id, record);
      this.#index.put(record);
    }
  }

  #checkCredit(ids: readonly string[], after: readonly CustomerRecord[]): void {
    if (this.#call.mayChangeCredit) return;
    const before = ids.flatMap(id => this.#index.get(id) ?? []);
    refuseCreditChange(before, after);
  }

  #keysOf(id: string): string[] {
    const record = this.#index.get(id);
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
    this.#index.put(stored);
    return stored;
  }
}
