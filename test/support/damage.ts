// Damages of a database for tests of verify: one value of each column, or a whole row. The columns
// are read from the catalog, so that a later migration's columns are also damaged.
import type pg from 'pg';

/** A change of one value, or the loss of one row. */
export interface Damage {
  /** table.column, table.column.member of a JSON column, or the table alone for a lost row. */
  readonly name: string;
  readonly table: string;
  /** The kind of row, if the table has several; else ''. */
  readonly variant: string;
  /** The row's place in its table. */
  readonly ctid: string;
  /** UPDATE or DELETE statements for the row. The first one that the database accepts counts. */
  readonly statements: readonly Statement[];
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The texts in the CHECK constraints of the column. */
  readonly literals: readonly string[];
}

/** The columns that tell kinds of rows apart, each of which is damaged by itself. */
const VARIANTS: Readonly<Record<string, string>> = {
  adjustments: "reason || CASE WHEN import_id IS NULL THEN '' ELSE ' of an import' END",
  customer_versions: `CASE WHEN EXISTS (
      SELECT
      FROM customers c
      WHERE c.company_id = customer_versions.company_id AND c.id = customer_versions.customer_id
        AND c.version = customer_versions.version
    ) THEN 'last' ELSE 'earlier' END`,
  customers: "CASE WHEN merged_into IS NULL THEN 'in use' ELSE 'merged' END",
  customer_imports: 'status',
  customer_import_rows: "CASE WHEN errors IS NULL THEN 'valid' ELSE 'refused' END",
  emails: `status || CASE
      WHEN of_create THEN ' of a create'
      WHEN EXISTS (
        SELECT
        FROM stored_responses r
        WHERE r.company_id = emails.company_id AND r.location LIKE '%/' || emails.id
      ) THEN ' under a key'
      ELSE ''
    END`,
  entries: 'type',
  entry_totals: 'type',
  import_rows: "CASE WHEN errors IS NULL THEN 'valid' ELSE 'refused' END",
  imports: "concat_ws(' ', status, 'undo ' || undo)",
  invoices: 'status',
  item_keys: "CASE WHEN archived THEN 'archived' ELSE 'in use' END",
  items: "CASE WHEN archived THEN 'archived' ELSE 'in use' END",
  jobs: "concat_ws(' ', status, CASE WHEN payload IS NOT NULL THEN 'with payload' END)",
  movements: 'kind',
  search_texts: 'kind',
  tax_totals: 'type',
};

const COLUMNS = `
  SELECT c.table_name AS table, c.column_name AS column, c.udt_name AS type,
    ARRAY(
      SELECT literal[1]
      FROM pg_constraint k,
        regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g') AS literal
      WHERE k.conrelid = c.table_name::regclass AND k.contype = 'c'
        AND k.conkey @> ARRAY[c.ordinal_position::int2]
    ) AS literals
  FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
    AND c.is_generated = 'NEVER'
  ORDER BY c.table_name, c.ordinal_position`;

/** The damages of all columns, and of a lost row of each table, with the row of this company. */
export async function damagesOf(client: pg.Client, companyId: string): Promise<Damage[]> {
  const { rows: columns } = await client.query<Column>(COLUMNS);
  const tables = new Map<string, Column[]>();
  for (const column of columns)
    tables.set(column.table, [...(tables.get(column.table) ?? []), column]);
  const damages: Damage[] = [];
  for (const [table, own] of tables) {
    for (const column of own)
      damages.push(...(await columnDamages(client, companyId, own, column)));
    for (const { ctid, variant } of await rowsOf(client, companyId, own, 'false')) {
      const statement = { sql: `DELETE FROM ${table} WHERE ctid = $1`, values: [ctid] };
      damages.push({ name: table, table, variant, ctid, statements: [statement] });
    }
  }
  return damages;
}

interface Row {
  readonly ctid: string;
  readonly variant: string;
  readonly value: string | null;
}

/** The row of each variant with the longest value, and so with most members. */
async function rowsOf(
  client: pg.Client,
  companyId: string,
  own: readonly Column[],
  column: string,
): Promise<Row[]> {
  const [{ table }] = own as [Column];
  const companyColumn =
    table === 'companies' ? 'id' : own.find(each => each.column === 'company_id')?.column;
  const where = companyColumn ? `WHERE ${companyColumn} = $1` : 'WHERE $1::uuid IS NOT NULL';
  const { rows } = await client.query<Row>(
    `SELECT DISTINCT ON (variant) ctid, variant, value
     FROM (
       SELECT ctid, ${VARIANTS[table] ?? "''"} AS variant, ${column}::text AS value
       FROM ${table}
       ${where}
     ) row
     ORDER BY variant, value IS NULL, length(value) DESC, ctid`,
    [companyId],
  );
  if (rows.length === 0) throw new Error(`the company has no row in ${table}`);
  return rows;
}

async function columnDamages(
  client: pg.Client,
  companyId: string,
  own: readonly Column[],
  { table, column, type, literals }: Column,
): Promise<Damage[]> {
  const rows = await rowsOf(client, companyId, own, column);
  return rows.flatMap(({ ctid, variant, value }): Damage[] => {
    const set = (expression: string, ...values: unknown[]): Statement => ({
      sql: `UPDATE ${table} SET ${column} = ${expression} WHERE ctid = $1`,
      values: [ctid, ...values],
    });
    const name = `${table}.${column}`;
    const common = { table, variant, ctid };
    const members = value === null ? [] : damagedMembers(value, type);
    if (members.length > 0)
      return members.map(({ path, text }) => ({
        ...common,
        name: [name, ...path].join('.'),
        statements: [set(`$2::${type}`, text)],
      }));
    const expressions = OWN_DAMAGES[name] ?? DAMAGES[type] ?? unknownType(type);
    const statements = expressions(column).map(expression => set(expression));
    const others = literals
      .filter(literal => type === 'text' && literal !== value)
      .map(each => set('$2', each));
    const cleared = value === null ? [] : [set('NULL')];
    return [{ ...common, name, statements: [...statements, ...others, ...cleared] }];
  });
}

function unknownType(type: string): never {
  throw new Error(`no damage of the type ${type} is known`);
}

/** Expressions for another value, in the order in which they are tried. */
type Expressions = (column: string) => readonly string[];

const numbers: Expressions = column => [
  `COALESCE(${column}, 0) + 1`,
  `COALESCE(${column}, 0) - 1`,
  `COALESCE(${column}, 0) + 1000`,
];
const texts: Expressions = column => ['x', 'X'].map(more => `COALESCE(${column}, '') || '${more}'`);
const json: Expressions = () => [`'{"other":1}'`];

const DAMAGES: Readonly<Record<string, Expressions>> = {
  _int8: column => [`${column} || 1::bigint`],
  bool: column => [`NOT COALESCE(${column}, false)`],
  bytea: column => [`sha256(COALESCE(${column}, ''))`],
  bpchar: () => ["'XXX'"],
  date: column => [
    `COALESCE(${column}, current_date) + 1`,
    `(COALESCE(${column}, current_date) + interval '1 month')::date`,
  ],
  int2: numbers,
  int4: numbers,
  int8: numbers,
  json,
  jsonb: json,
  numeric: numbers,
  text: texts,
  _text: column => [`array_append(${column}, 'x')`],
  timestamptz: column => [`COALESCE(${column}, now()) + interval '1 day'`],
  uuid: () => ['gen_random_uuid()'],
  varchar: texts,
};

/** Columns of which verify need not see every change, with one that it must see. */
const OWN_DAMAGES: Readonly<Record<string, Expressions>> = {
  'adjustments.stock_version': column => [`${column} + 1000`],
  // The last line may be an SKU, which the item may have no more.
  'adjustments.delivery_key': column => [`'x' || COALESCE(${column}, '')`],
  'companies.customers_changed_at': column => [`${column} - interval '1 day'`],
  'companies.stock_version': column => [`${column} - 1`],
  'item_keys.matches_from': column => [`COALESCE(${column}, 0) + 1000`],
  'item_keys.matches_until': column => [`COALESCE(${column}, 0) + 1000`],
  // Postgres would not read another text.
  'summaries.time_zone': () => ["'Pacific/Kiritimati'"],
};

/** The JSON with each of its values changed. Of a list of objects, the first one is changed. */
function damagedMembers(value: string, type: string): { path: string[]; text: string }[] {
  if (type !== 'json' && !(type === 'text' && value.startsWith('{"'))) return [];
  return changedValues(JSON.parse(value)).flatMap(({ path, json: changed }) =>
    path.length === 0 ? [] : [{ path, text: JSON.stringify(changed) }],
  );
}

function changedValues(value: unknown): { path: string[]; json: unknown }[] {
  if (Array.isArray(value)) {
    const [first, ...others] = value;
    if (first === null || typeof first !== 'object' || Array.isArray(first))
      return [{ path: [], json: [...value, 'x'] }];
    return changedValues(first).map(({ path, json: changed }) => ({
      path,
      json: [changed, ...others],
    }));
  }
  if (value === null || typeof value !== 'object') return [{ path: [], json: otherValue(value) }];
  return Object.entries(value).flatMap(([member, own]) =>
    changedValues(own).map(({ path, json: changed }) => ({
      path: [member, ...path],
      json: { ...value, [member]: changed },
    })),
  );
}

function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'x' : `${value}x`;
}
