// Records in which order the transactions of this process lock the rows of different tables.
import type pg from 'pg';

/**
 * Every write locks rows of these tables in this order. It may leave some out. The lock of the
 * company comes before all that changes under it.
 */
export const LOCK_ORDER = [
  'imports',
  'customer_imports',
  'companies',
  'import_changes',
  'customer_import_changes',
  'invoices',
  'entries',
  'customer_names',
  'customers',
  'customer_exposures',
  'item_keys',
  'items',
  'invoice_drafts',
  'count_sheets',
  'count_lines',
  'import_rows',
  'customer_import_rows',
  'jobs',
];

/** Rows that change under their company's lock alone, and so are read after it. */
const GUARDED_TABLES = [
  ...['items', 'item_keys', 'invoices', 'entries', 'allocations', 'invoice_drafts'],
  ...['count_sheets', 'count_lines'],
  String.raw`customer(?!_import)\w*`,
];
const GUARDED = new RegExp(String.raw`\b(?:FROM|JOIN) (?:${GUARDED_TABLES.join('|')})\b`, 'u');
/** Stands for a read of such a row without the lock. It is not in LOCK_ORDER. */
const UNLOCKED_READ = 'a read before the lock';

const LOCKING_CLAUSE = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE)\b/gu;
/** `DO UPDATE` is a part of INSERT, and `FOR UPDATE` of SELECT. */
const CHANGE = /(?<!DO |FOR |KEY )\b(?:UPDATE|DELETE FROM) "?(\w+)/gu;
const UPSERT = /INSERT INTO (\w+)(?:(?!INSERT INTO)[\s\S])*ON CONFLICT[\s\S]*?DO UPDATE/gu;

/** The tables whose existing rows a statement locks, in the order of the text. */
export function lockedTables(sql: string): string[] {
  const selected = Array.from(sql.matchAll(LOCKING_CLAUSE), ({ index }) => {
    const tables = [...sql.slice(0, index).matchAll(/\bFROM "?(\w+)/gu)];
    return { index, table: tables.at(-1)?.[1] ?? 'unknown' };
  });
  const changed = [...sql.matchAll(CHANGE), ...sql.matchAll(UPSERT)].map(
    ({ index, 1: table = 'unknown' }) => ({ index, table }),
  );
  return [...selected, ...changed].sort((a, b) => a.index - b.index).map(({ table }) => table);
}

/**
 * Per transaction, the tables in the order in which it first locked a row of each, and
 * UNLOCKED_READ.
 */
export class LockTrace {
  readonly transactions: string[][] = [];
  /** The texts of all statements. */
  readonly statements: string[] = [];

  constructor(pool: pg.Pool) {
    pool.on('connect', client => this.#record(client));
  }

  #record(client: pg.PoolClient): void {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown;
    let current: string[] = [];
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [statement] = args as [string | { text: string }];
        const sql = typeof statement === 'string' ? statement : statement.text;
        this.statements.push(sql);
        if (sql.startsWith('BEGIN')) {
          current = [];
          this.transactions.push(current);
        }
        if (GUARDED.test(sql) && !current.includes('companies')) current.push(UNLOCKED_READ);
        for (const table of lockedTables(sql)) if (!current.includes(table)) current.push(table);
        return send(...args);
      },
    });
  }
}
