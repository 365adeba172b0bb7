// Records by their id, number, external id and names, as a change leaves them.
import { type CustomerRecord, nameKeys } from '../../customers/record.js';
import { codeKey, matchKey } from '../../platform/values/text.js';

export class RecordIndex {
  readonly #records = new Map<string, CustomerRecord>();
  /** The ids of records by external id, and by the match keys of numbers, names and aliases. */
  readonly #numbers = new Map<string, string>();
  readonly #externalIds = new Map<string, string>();
  readonly #names = new Map<string, string>();

  get(id: string): CustomerRecord | undefined {
    return this.#records.get(id);
  }

  hasNumber(numberKey: string): boolean {
    return this.#numbers.has(numberKey);
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

  put(record: CustomerRecord): void {
    this.#records.set(record.id, record);
    this.#numbers.set(matchKey(record.number), record.id);
    if (record.externalId !== null) this.#externalIds.set(codeKey(record.externalId), record.id);
    for (const key of nameKeys(record)) this.#names.set(key, record.id);
  }

  remove(id: string): void {
    const record = this.#records.get(id);
    if (!record) return;
    this.#records.delete(id);
    this.#numbers.delete(matchKey(record.number));
    if (record.externalId !== null) this.#externalIds.delete(codeKey(record.externalId));
    for (const key of nameKeys(record)) this.#names.delete(key);
  }
}
