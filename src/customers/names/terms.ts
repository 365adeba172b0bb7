// The payment terms and the tax of customers' records, as creates of invoices look them up by name.
// A process remembers what it read until a record of the company changes.
import { LRUCache } from 'lru-cache';
import { Batcher } from '../../platform/async/batch.js';
import { query } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import type { CustomerTax } from '../record.js';
import { NAME_OF_WANTED, type NameRef, nameBind, nameRefKey } from './names.js';

/** The values of a record in use that win over the company's; null where it has none. */
export interface CustomerTerms {
  readonly termsDays: number | null;
  readonly tax: CustomerTax | null;
}

/** The part of a company's settings that says whether a look-up is needed, and what is current. */
export interface TermsState {
  readonly companyId: string;
  readonly customersWithTerms: number;
  readonly customersVersion: number;
}

interface CachedTerms {
  /** The version that was current before the terms were read. */
  readonly version: number;
  readonly terms: CustomerTerms | null;
}

/** Names, of all companies. Each takes about 200 bytes. */
const CACHE_SIZE = 50_000;
const cache = new LRUCache<string, CachedTerms>({ max: CACHE_SIZE });

/** SQL for the terms of the record c. */
export const TERMS_COLUMNS = 'c.terms_days AS "termsDays", c.tax';

/** Look-ups that arrive together share a query: a round trip costs more than a row. */
const lookups = new Batcher<NameRef, CustomerTerms | null>(
  async refs => {
    const rows = await query<CustomerTerms & NameRef>(
      `SELECT n.company_id AS "companyId", n.name_key AS "nameKey", ${TERMS_COLUMNS}
       FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, name_key),
         ${NAME_OF_WANTED},
         ${lookUpOne('customers', 'c', 'company_id = n.company_id AND id = n.customer_id')}
       WHERE NOT c.archived AND (c.terms_days IS NOT NULL OR c.tax IS NOT NULL)`,
      nameBind(refs),
    );
    const found = new Map(
      rows.map(row => [nameRefKey(row), { termsDays: row.termsDays, tax: row.tax }]),
    );
    return refs.map(ref => found.get(nameRefKey(ref)) ?? null);
  },
  { maxSize: 500, maxInFlight: 2, ownerOf: ({ companyId }) => companyId },
);

/**
 * The terms of the record with this match key; null for a name without one, and for a record
 * without terms or out of use. A value that is remembered comes at once, not as a promise.
 */
export function findTerms(
  { companyId, customersWithTerms, customersVersion }: TermsState,
  nameKey: string,
): CustomerTerms | null | Promise<CustomerTerms | null> {
  if (customersWithTerms === 0) return null;
  const ref = { companyId, nameKey };
  const cached = cache.get(nameRefKey(ref));
  return cached && cached.version >= customersVersion ? cached.terms : read(ref, customersVersion);
}

async function read(ref: NameRef, version: number): Promise<CustomerTerms | null> {
  const terms = await lookups.submit(ref);
  const cached = cache.get(nameRefKey(ref));
  if (!cached || cached.version < version) cache.set(nameRefKey(ref), { version, terms });
  return terms;
}
