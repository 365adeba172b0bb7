// Finds the items that requests name, without locking them. Names may change until the companies
// are locked, so what was found is confirmed then.
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { ConflictError } from '../../platform/postgres-errors.js';
import { stepsOf } from '../../platform/values/steps.js';

/** An item that a request may touch, by id, folded SKU or folded name. */
export interface StockRef {
  readonly companyId: string;
  readonly nameKey?: string;
  readonly skuKey?: string;
  readonly id?: string;
}

/** A row of `namedSql`. */
export interface NamedRow {
  readonly companyId: string;
  /** Null: the row of a company, with its version. */
  readonly id: string | null;
  /** The folded name or SKU of a ref that the row answers. */
  readonly matchedName: string | null;
  readonly matchedSku: string | null;
  readonly version: string | null;
}

/** The columns of a NamedRow, of the rows of `namedSql` as `named`. */
export const NAMED_COLUMNS = `
  named.company_id AS "companyId", named.id,
  named.name_key AS "matchedName", named.sku_key AS "matchedSku", named.version`;

/** The ways in which refs name items, and the SQL that finds them. */
const WAYS = [
  {
    field: 'nameKey',
    type: 'text',
    sql: (wanted: string) => `
      SELECT company_id, k.item_id, name_key, NULL, NULL::bigint
      FROM ${wanted} (company_id, name_key)
      JOIN item_keys k USING (company_id, name_key)
      WHERE NOT k.archived`,
  },
  {
    field: 'skuKey',
    type: 'text',
    sql: (wanted: string) => `
      SELECT company_id, i.id, NULL, sku_key, NULL::bigint
      FROM ${wanted} (company_id, sku_key)
      JOIN items i USING (company_id, sku_key)
      WHERE NOT i.archived`,
  },
  {
    field: 'id',
    type: 'uuid',
    sql: (wanted: string) => `
      SELECT company_id, id, NULL, NULL, NULL::bigint
      FROM ${wanted} (company_id, id)`,
  },
] as const;

/** One statement for all refs of a batch; an import has more. */
const REFS_PER_STEP = 5_000;

/** The items that names and SKUs meant when they were resolved. */
export class ResolvedNames {
  readonly #rows: NamedRow[] = [];
  /** Each company's names_version before its first name was resolved. */
  readonly #versions = new Map<string, string>();
  /** Made at the first look-up, since most batches need none. */
  #ids: Map<string, string> | undefined;

  add(rows: readonly NamedRow[]): void {
    this.#ids = undefined;
    for (const row of rows) {
      this.#rows.push(row);
      if (row.version !== null && !this.#versions.has(row.companyId))
        this.#versions.set(row.companyId, row.version);
    }
  }

  ids(): Set<string> {
    return new Set(this.#index().values());
  }

  /** The item of the ref's name; undefined without one. */
  byName({ companyId, nameKey }: StockRef): string | undefined {
    return this.#index().get(`${companyId} name ${nameKey}`);
  }

  bySku({ companyId, skuKey }: StockRef): string | undefined {
    return this.#index().get(`${companyId} sku ${skuKey}`);
  }

  versionOf(companyId: string): string | undefined {
    return this.#versions.get(companyId);
  }

  #index(): Map<string, string> {
    if (this.#ids) return this.#ids;
    this.#ids = new Map();
    for (const { companyId, id, matchedName, matchedSku } of this.#rows) {
      if (id === null) continue;
      if (matchedName !== null) this.#ids.set(`${companyId} name ${matchedName}`, id);
      if (matchedSku !== null) this.#ids.set(`${companyId} sku ${matchedSku}`, id);
    }
    return this.#ids;
  }
}

/** Finds the items that the refs name at this moment. */
export async function resolveNames(
  refs: readonly StockRef[],
  tx: Transaction,
): Promise<ResolvedNames> {
  const names = new ResolvedNames();
  for (const step of stepsOf(refs, REFS_PER_STEP)) {
    const { sql, bind } = namedSql(step);
    names.add(
      await query<NamedRow>(
        `SELECT ${NAMED_COLUMNS}
         FROM (${sql}) AS named (company_id, id, name_key, sku_key, version)`,
        bind,
        tx,
      ),
    );
  }
  return names;
}

/**
 * Throws ConflictError if a name or SKU of the refs has changed its meaning since `names` were
 * resolved. Requires the locks of the companies, under which all names change. Their versions tell
 * whether it has to look at all.
 */
export async function confirmNames(
  refs: readonly StockRef[],
  names: ResolvedNames,
  companies: readonly { readonly id: string; readonly namesVersion: string }[],
  tx: Transaction,
): Promise<void> {
  const changed = new Set(
    companies.flatMap(({ id, namesVersion }) => (names.versionOf(id) === namesVersion ? [] : [id])),
  );
  if (changed.size === 0) return;
  const doubtful = refs.filter(({ companyId }) => changed.has(companyId));
  const now = await resolveNames(doubtful, tx);
  const isSame = (ref: StockRef) =>
    now.byName(ref) === names.byName(ref) && now.bySku(ref) === names.bySku(ref);
  if (!doubtful.every(isSame))
    throw new ConflictError('an item was created, renamed or archived in the meantime');
}

/**
 * A SELECT of the items that the refs name, with columns (company_id, id, name_key, sku_key,
 * version), and its values. Each company has one more row with its version, in the same snapshot.
 */
export function namedSql(refs: readonly StockRef[]): { sql: string; bind: string[] } {
  const bind: string[] = [];
  const companyIds = plainArray([...new Set(refs.map(({ companyId }) => companyId))]);
  const versions = `
      SELECT c.id, NULL::uuid, NULL, NULL, c.names_version
      FROM unnest($${bind.push(companyIds)}::uuid[]) AS wanted (id)
      JOIN companies c USING (id)`;
  const selects = WAYS.flatMap(({ field, type, sql }) => {
    const wanted = new Map(
      refs.flatMap(ref =>
        ref[field] === undefined ? [] : [[`${ref.companyId} ${ref[field]}`, ref]],
      ),
    );
    if (wanted.size === 0) return [];
    const companies = plainArray(Array.from(wanted.values(), ({ companyId }) => companyId));
    const values = textArray(Array.from(wanted.values(), ref => ref[field]));
    const arrays = `$${bind.push(companies)}::uuid[], $${bind.push(values)}::${type}[]`;
    return [sql(`unnest(${arrays}) AS wanted`)];
  });
  return { sql: [versions, ...selects].join('\n      UNION ALL'), bind };
}
