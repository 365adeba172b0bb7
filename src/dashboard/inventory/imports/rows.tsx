// How the pages of an import show the rows and columns of its file.
import { unknownSku } from '../../../inventory/imports/columns.js';
import { type StockField, stockFieldsOf } from '../../../inventory/imports/headings.js';
import type { StockImport } from '../../../inventory/imports/kind.js';
import type {
  PreviewOutcome,
  PreviewRow,
  RepeatedItem,
} from '../../../inventory/imports/preview.js';
import { toUnits } from '../../../platform/values/money.js';
import { matchKey } from '../../../platform/values/text.js';
import { summaryOf } from '../../imports/rows.js';
import { Badge, Panel, Price, Quantity, type Tone } from '../../kit/ui/components.js';
import { formatPercent, formatQuantity } from '../../kit/ui/format.js';
import { type Column, Table } from '../../kit/ui/list.js';

interface FileProps {
  readonly found: Pick<StockImport, 'header' | 'columns'>;
}

/** Why a row of a preview would be rejected. */
export function previewProblem({ outcome, errors, entry, onHand }: PreviewRow): string {
  if (errors) return errors.join(' ');
  if (outcome === 'unknown') return `sku “${entry?.sku}”: ${unknownSku(entry?.name !== undefined)}`;
  const available = formatQuantity(onHand ?? 0);
  return `delta “${entry?.delta}”: Only ${available} on hand.`;
}

const RESULTS: Readonly<Record<PreviewOutcome, { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: 'good', text: 'New item' },
  changed: { tone: 'plain', text: 'Changes item' },
  moved: { tone: 'warn', text: 'Stock changed' },
  invalid: { tone: 'bad', text: 'Rejected' },
  unknown: { tone: 'bad', text: 'Rejected' },
  short: { tone: 'bad', text: 'Rejected' },
};

const DETAILS = [
  ['reorderPoint', 'Reorder point', false],
  ['unitCost', 'Unit cost', true],
  ['unitPrice', 'Unit price', true],
] as const;

export function FirstRows({ rows, found }: FileProps & { rows: readonly PreviewRow[] }) {
  return <Table caption="First rows" rows={rows} columns={columnsOf(found)} />;
}

/** Rows of a file whose columns are not chosen yet. */
export function UnreadRows({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <Table
      caption="First rows"
      rows={rows}
      columns={[
        { head: 'Line', cell: ({ line }) => `Line ${line}` },
        { head: 'Row', cell: ({ cells }) => summaryOf(cells) },
      ]}
    />
  );
}

/** Columns for the fields that the file has. A row with errors shows its cells. */
function columnsOf({ header, columns }: FileProps['found']): Column<PreviewRow>[] {
  const fields = stockFieldsOf(header, columns);
  const has = (field: StockField) => fields.includes(field);
  const hasStock = has('count') || has('delta');
  return [
    { head: 'Item', cell: itemOf },
    { head: 'Line', align: 'end', cell: ({ line }) => formatQuantity(line) },
    ...(hasStock ? [{ head: 'Stock', align: 'end', cell: stockOf } as const] : []),
    ...DETAILS.filter(([field]) => has(field)).map(([field, head, isMoney]) => ({
      head,
      align: 'end' as const,
      cell: (row: PreviewRow) => (
        <Change from={row[field]} to={row.entry?.[field]} isMoney={isMoney} />
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
function itemOf({ entry, cells, itemName }: PreviewRow): string {
  if (entry === null) return summaryOf(cells);
  const { name = null, sku } = entry;
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

function unitOf({ entry, unit }: PreviewRow): string {
  const to = entry?.unit ?? '';
  if (to === '' || unit === null) return to;
  return to === unit ? 'Unchanged' : `${unit} → ${to}`;
}

function numberOf(value: number | undefined) {
  return value === undefined ? '' : <Quantity value={value} />;
}

/** A row without a quantity, and a count that was exported and not edited, change no stock. */
function stockOf({ entry, onHand }: PreviewRow): string {
  if (entry === null) return '';
  const { count, delta, expectedOnHand } = entry;
  if (count === undefined) {
    if (!delta) return 'Unchanged';
    return `${delta > 0 ? '+' : ''}${formatQuantity(delta)}`;
  }
  if (onHand === null) return formatQuantity(count);
  if (count === expectedOnHand) return 'Unchanged';
  return `${formatQuantity(onHand)} → ${formatQuantity(count)}`;
}

export function MovedRows({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <TablePanel
      title="Stock changed since the export"
      note="Skipped unless you choose otherwise above. Counts you didn’t edit never apply."
      rows={rows}
      columns={[
        { head: 'Item', cell: itemOf },
        { head: 'Line', align: 'end', cell: ({ line }) => formatQuantity(line) },
        { head: 'Exported', align: 'end', cell: ({ entry }) => numberOf(entry?.expectedOnHand) },
        { head: 'On hand now', align: 'end', cell: ({ onHand }) => numberOf(Number(onHand)) },
        {
          head: 'In the file',
          align: 'end',
          cell: ({ entry }) => numberOf(entry?.count ?? entry?.delta),
        },
      ]}
    />
  );
}

export function RepeatedItems({ items }: { items: readonly RepeatedItem[] }) {
  return (
    <TablePanel
      title="Items on several lines"
      note="Rows apply in file order. If an item is counted twice, the last count wins."
      rows={items}
      columns={[
        { head: 'Item', cell: ({ label }) => label },
        {
          head: 'Lines',
          cell: ({ lines, rows }) => lines.join(', ') + (rows > lines.length ? ', …' : ''),
        },
      ]}
    />
  );
}

interface TablePanelProps<Row> {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

function TablePanel<Row>({ title, note, rows, columns }: TablePanelProps<Row>) {
  return (
    <Panel title={title} note={note}>
      <Table caption={title} rows={rows} columns={columns} />
    </Panel>
  );
}
