// The match keys by which items and the rows of imports are found. They are computed here and not
// in SQL, because matchKey is TypeScript.
import { codeOf, textOf } from '../../customer-records/identify.js';
import { type Columns, ROW_KEY } from '../../platform/db/rows.js';
import { matchKey } from '../../platform/values/text.js';
import type { Rendered } from './rendered.js';

export const MATCH_KEYS = 'the match keys of names, SKUs and numbers equal the texts of the row';

interface Item {
  readonly companyId: string;
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
}

const ITEMS: Rendered<Item, Item> = {
  name: MATCH_KEYS,
  table: 'items',
  key: ROW_KEY,
  derived: {
    name_key: ['text', ({ name }) => matchKey(name)],
    sku_key: ['text', ({ sku }) => keyOf(sku)],
  },
  source: 'SELECT company_id AS "companyId", id, name, sku FROM items',
  render: item => item,
};

interface ImportRow {
  readonly companyId: string;
  readonly importId: string;
  readonly position: number;
  readonly entry: Readonly<Record<string, unknown>>;
}

const IMPORT_ROW: Columns<ImportRow> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  import_id: ['uuid', ({ importId }) => importId],
  position: ['int', ({ position }) => position],
};
/** The rows that wait. The keys of refused ones are read no more. */
const rowsOf = (table: string) => `
  SELECT company_id AS "companyId", import_id AS "importId", position, entry
  FROM ${table}
  WHERE entry IS NOT NULL`;

const ROWS: Rendered<ImportRow, ImportRow> = {
  name: MATCH_KEYS,
  table: 'import_rows',
  key: IMPORT_ROW,
  derived: {
    name_key: ['text', ({ entry }) => keyOf(entry.name)],
    sku_key: ['text', ({ entry }) => keyOf(entry.sku, codeOf)],
  },
  source: rowsOf('import_rows'),
  render: row => row,
};

const CUSTOMER_ROWS: Rendered<ImportRow, ImportRow> = {
  name: MATCH_KEYS,
  table: 'customer_import_rows',
  key: IMPORT_ROW,
  derived: {
    external_id: ['text', ({ entry }) => codeOf(entry.externalId)[0] ?? null],
    number_key: ['text', ({ entry }) => keyOf(entry.number, codeOf)],
    name_key: ['text', ({ entry }) => keyOf(entry.name)],
  },
  source: rowsOf('customer_import_rows'),
  render: row => row,
};

export const STORED_KEYS = [ITEMS, ROWS, CUSTOMER_ROWS] as const;

function keyOf(value: unknown, cleaned = textOf): string | null {
  const [key = null] = cleaned(value).map(matchKey);
  return key;
}
