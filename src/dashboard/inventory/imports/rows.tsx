// How the pages of an import of stock show the rows of its file.

import type { JudgedRow, RowOutcome } from '../../../imports/judgement.js';
import { STOCK_COLUMNS, type StockField } from '../../../inventory/imports/headings.js';
import type { StockImport } from '../../../inventory/imports/kind.js';
import type { ItemBefore } from '../../../inventory/imports/trial.js';
import type { AdjustmentEntry } from '../../../inventory/schema.js';
import { toUnits } from '../../../platform/values/money.js';
import { matchKey } from '../../../platform/values/text.js';
import { summaryOf } from '../../imports/rows.js';
import { Badge, Panel, Price, Quantity, type Tone } from '../../kit/ui/components.js';
import { formatPercent, formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';

/** A row with the item as it is before; null for a new item. */
interface StockRow extends Omit<JudgedRow<AdjustmentEntry>, 'before'> {
  readonly before: ItemBefore | null;
}

const RESULTS: Readonly<Record<RowOutcome, { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: 'good', text: 'New item' },
  changed: { tone: 'plain', text: 'Changes item' },
  same: { tone: 'plain', text: 'Unchanged' },
  moved: { tone: 'warn', text: 'Stock changed' },
  rejected: { tone: 'bad', text: 'Rejected' },
};

const DETAILS = [
  ['reorderPoint', 'Reorder point', false],
  ['unitCost', 'Unit cost', true],
  ['unitPrice', 'Unit price', true],
] as const;

interface FirstRowsProps {
  readonly rows: readonly JudgedRow[];
  readonly found: Pick<StockImport, 'header' | 'columns'>;
}

export function FirstRows({ rows, found: { header, columns } }: FirstRowsProps) {
  const fields = STOCK_COLUMNS.columnsOf(header, columns);
  const has = (field: StockField) => fields.includes(field);
  return <Table caption="First rows" rows={rows as StockRow[]} columns={columnsOf(has)} />;
}

/** Columns for the fields that the file has. A row with errors shows its cells. */
function columnsOf(has: (field: StockField) => boolean): Column<StockRow>[] {
  const hasStock = has('count') || has('delta');
  return [
    { head: 'Item', cell: itemOf },
    { head: 'Line', align: 'end', cell: ({ line }) => formatQuantity(line) },
    ...(hasStock ? [{ head: 'Stock', align: 'end', cell: stockOf } as const] : []),
    ...DETAILS.filter(([field]) => has(field)).map(([field, head, isMoney]) => ({
      head,
      align: 'end' as const,
      cell: ({ before, entry }: StockRow) => (
        <Change from={before?.[field] ?? null} to={entry?.[field]} isMoney={isMoney} />
      ),
    })),
    ...(has('unit') ? [{ head: 'Unit', cell: unitOf }] : []),
    {
      head: 'Result',
      cell: ({ outcome }) => <Badge tone={RESULTS[outcome].tone}>{RESULTS[outcome].text}</Badge>,
    },
  ];
}

/** The item that the row is about, and what the row calls it if that is another name. */
function itemOf({ entry, cells, before }: StockRow): string {
  if (entry === null) return summaryOf(cells);
  const { name = null, sku } = entry;
  const itemName = before?.name ?? null;
  const isRenamed = itemName !== null && name !== null && matchKey(name) !== matchKey(itemName);
  const label = isRenamed ? `${itemName} (“${name}” in the file)` : (itemName ?? name);
  return [label, sku].filter(Boolean).join(' · ');
}

interface ChangeProps {
  /** The item's figure as decimal text; null if it has none, or if the item is new. */
  readonly from: string | null;
  /** The figure in the file. */
  readonly to: number | undefined;
  readonly isMoney: boolean;
}

/** A figure before and after the import, and the change of a price in percent. */
function Change({ from, to, isMoney }: ChangeProps) {
  if (to === undefined) return null;
  const figure = (value: string) =>
    isMoney ? <Price value={value} /> : <Quantity value={value} />;
  if (from === null) return figure(String(to));
  if (toUnits(from) === toUnits(to)) return <>Unchanged</>;
  const percent = isMoney && Number(from) > 0 ? ((to - Number(from)) / Number(from)) * 100 : null;
  return (
    <>
      {figure(from)} → {figure(String(to))}
      {percent !== null && <span class="note below">{formatPercent(percent.toFixed(1))}</span>}
    </>
  );
}

function unitOf({ entry, before }: StockRow): string {
  const [to, unit] = [entry?.unit ?? '', before?.unit ?? null];
  if (to === '' || unit === null) return to;
  return to === unit ? 'Unchanged' : `${unit} → ${to}`;
}

function numberOf(value: number | undefined) {
  return value === undefined ? '' : <Quantity value={value} />;
}

/** A row without a quantity, and a count that was exported and not edited, change no stock. */
function stockOf({ entry, before }: StockRow): string {
  if (entry === null) return '';
  const { count, delta, expectedOnHand } = entry;
  if (count === undefined) {
    if (!delta) return 'Unchanged';
    return `${delta > 0 ? '+' : ''}${formatQuantity(delta)}`;
  }
  if (before === null) return formatQuantity(count);
  if (count === expectedOnHand) return 'Unchanged';
  return `${formatQuantity(before.onHand)} → ${formatQuantity(count)}`;
}

export function MovedRows({ rows }: { rows: readonly JudgedRow[] }) {
  const title = 'Stock changed since the export';
  return (
    <Panel
      title={title}
      note="Skipped unless you choose otherwise above. Counts you didn’t edit never apply."
    >
      <Table caption={title} rows={rows as StockRow[]} columns={MOVED_COLUMNS} />
    </Panel>
  );
}

const MOVED_COLUMNS: readonly Column<StockRow>[] = [
  { head: 'Item', cell: itemOf },
  { head: 'Line', align: 'end', cell: ({ line }) => formatQuantity(line) },
  { head: 'Exported', align: 'end', cell: ({ entry }) => numberOf(entry?.expectedOnHand) },
  { head: 'On hand now', align: 'end', cell: ({ before }) => numberOf(Number(before?.onHand)) },
  {
    head: 'In the file',
    align: 'end',
    cell: ({ entry }) => numberOf(entry?.count ?? entry?.delta),
  },
];
