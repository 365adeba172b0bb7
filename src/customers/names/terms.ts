// Creates of invoices and payments look a customer's name up here: the payment terms and the tax of
// its record, and whether it is only the number of a record. A process remembers the names that it
// read until a record of the company changes.
import { LRUCache } from 'lru-cache';
import { Batcher } from '../../platform/async/batch.js';
import { query } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import type { CustomerTax } from '../record.js';
import { NAME_OF_WANTED, type NameRef, nameBind, nameRefKey, readRemaining } from './names.js';

/** The values of a record in use that win over the company's; null where it has none. */
export interface CustomerTerms {
  readonly termsDays: number | null;
  readonly tax: CustomerTax | null;
}

/** The part of a company's settings that says whether a look-up is needed, and what is current. */
export interface TermsState {
  readonly companyId: string;
  readonly customerCount: number;
  readonly customersVersion: number;
}

/** The record that has a number. */
export interface NumberedRecord {
  readonly id: string;
  readonly name: string;
  readonly archived: boolean;
}

/** A name as the records of a company know it. */
export interface KnownName {
  /** Of the record in use with this name or alias; null without one, or if it has none. */
  readonly terms: CustomerTerms | null;
  /** The record that has the name as its number, if it is no name or alias of any. */
  readonly numberOf: NumberedRecord | null;
}

interface CachedName {
  /** The version that was current before the name was read. */
  readonly version: number;
  readonly known: KnownName;
}

/** Names, of all companies. Each takes about 200 bytes. */
const CACHE_SIZE = 50_000;
const cache = new LRUCache<string, CachedName>({ max: CACHE_SIZE });
const UNKNOWN: KnownName = { terms: null, numberOf: null };

/** SQL for the terms of the record c. */
export const TERMS_COLUMNS = 'c.terms_days AS "termsDays", c.tax';

/** Look-ups that arrive together share a query: a round trip costs more than a row. */
const lookups = new Batcher<NameRef, KnownName>(
  async refs => {
    const rows = await query<NameRef & { terms: CustomerTerms | null; numberOf: string | null }>(
      `SELECT wanted.company_id AS "companyId", wanted.name_key AS "nameKey",
         CASE WHEN NOT c.archived AND (c.terms_days IS NOT NULL OR c.tax IS NOT NULL)
           THEN json_build_object('termsDays', c.terms_days, 'tax', c.tax)
         END AS terms,
         numbered.id AS "numberOf"
       FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, name_key)
       LEFT JOIN ${NAME_OF_WANTED} ON true
       LEFT JOIN ${lookUpOne('customers', 'c', 'company_id = n.company_id AND id = n.customer_id')}
         ON true
       LEFT JOIN ${lookUpOne(
         'customers',
         'numbered',
         `company_id = wanted.company_id AND number_key = wanted.name_key
           AND n.customer_id IS NULL`,
       )} ON true`,
      nameBind(refs),
    );
    const found = new Map(rows.map(row => [nameRefKey(row), row]));
    return Promise.all(
      refs.map(async ({ companyId, nameKey }) => {
        const { terms = null, numberOf = null } =
          found.get(nameRefKey({ companyId, nameKey })) ?? {};
        return {
          terms,
          numberOf: numberOf === null ? null : await findRemaining(companyId, numberOf),
        };
      }),
    );
  },
  { maxSize: 500, maxInFlight: 2, ownerOf: ({ companyId }) => companyId },
);

/** The record that remains of a record. */
async function findRemaining(companyId: string, id: string): Promise<NumberedRecord | null> {
  const columns = 'c.id, c.name, c.archived';
  const found = await readRemaining<NumberedRecord>(companyId, 'id', [id], columns);
  return found.get(id) ?? null;
}

/**
 * The name with this match key, as the records of the company know it. A value that is remembered
 * comes at once, not as a promise.
 */
export function findKnownName(
  { companyId, customerCount, customersVersion }: TermsState,
  nameKey: string,
): KnownName | Promise<KnownName> {
  if (customerCount === 0) return UNKNOWN;
  const ref = { companyId, nameKey };
  const cached = cache.get(nameRefKey(ref));
  return cached && cached.version >= customersVersion ? cached.known : read(ref, customersVersion);
}

async function read(ref: NameRef, version: number): Promise<KnownName> {
  const known = await lookups.submit(ref);
  const cached = cache.get(nameRefKey(ref));
  if (!cached || cached.version < version) cache.set(nameRefKey(ref), { version, known });
  return known;
}
