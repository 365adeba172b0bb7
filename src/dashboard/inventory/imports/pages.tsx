// The pages of imports of stock: their words, their preview, and the form that chooses columns.

import { ignoredHeadings } from '../../../imports/file.js';
import { rereadPreview } from '../../../imports/preview.js';
import { findColumnProblem } from '../../../inventory/imports/columns.js';
import {
  aliasesOf,
  isDescription,
  type StockField,
  stockFieldsOf,
} from '../../../inventory/imports/headings.js';
import { STOCK_IMPORTS, type StockImport } from '../../../inventory/imports/kind.js';
import { findPreview, type ImportPreview } from '../../../inventory/imports/preview.js';
import type { ImportPages, PreviewParts } from '../../imports/pages.js';
import { previewForm } from '../../imports/preview.js';
import { importPages } from '../../imports/routes.js';
import type { FormState } from '../../kit/forms/form-state.js';
import type { PageRequest, PageRoute } from '../../kit/page.js';
import { Checkbox } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { Stat, Stats } from '../../kit/ui/stats.js';
import { REORDER_HINT } from '../item-forms.js';
import { ColumnsPanel, chosenColumns } from './choose-columns.js';
import { FirstRows, MovedRows, previewProblem, RepeatedItems, UnreadRows } from './rows.js';
import { UndoPanel } from './undo.js';

const COLUMNS: readonly (readonly [StockField, string])[] = [
  ['name', 'Required without an SKU. A new name creates an item.'],
  ['sku', 'Your own code. Takes precedence over the name.'],
  ['count', 'Counted stock. Replaces the current quantity.'],
  ['delta', 'Use instead of count. Added to the current quantity.'],
  ['reorderPoint', REORDER_HINT],
  ['unitCost', 'Cost of one unit, excluding tax.'],
  ['unitPrice', 'Sales price of one unit, excluding tax.'],
  ['unit', 'Unit of measure, e.g. pc, m, kg.'],
  ['expectedOnHand', 'Included in exports. Rows whose stock has changed since are skipped.'],
];

const STOCK: ImportPages<StockImport> = {
  kind: STOCK_IMPORTS,
  guard: 'set-prices',
  noun: 'stock',
  home: '/inventory',
  homeLabel: 'View inventory',
  intro:
    'Other columns are ignored, unless you choose them in the preview. Empty cells leave values ' +
    'unchanged. Without a count or delta column, such as in a price list, no stock changes.',
  guide: COLUMNS.map(([name, meaning]) => [name, <Meaning {...{ name, meaning }} />]),
  readOptions: ({ allowNegativeStock }, found) => ({
    allowNegativeStock,
    chosen: found?.columns ?? null,
  }),
  startChoices: form => ({
    all_or_nothing: form.get('allOrNothing') === 'true',
    ignores_expected: form.get('ignoresExpected') === 'true',
  }),
  preview: showPreview,
  ignored,
  ignoredNote(found) {
    const description = found.columns === null ? ignored(found).find(isDescription) : undefined;
    if (description === undefined) return null;
    return ` The file has a column for the name, so “${description}” is not used.`;
  },
  undo: { done: 'Items that it added are archived.', Panel: UndoPanel },
};

export function stockImportPages(): PageRoute[] {
  return [...importPages(STOCK), ...columnsForm];
}

/** Reads the file with other columns, and detects the decimal separator in those. */
const columnsForm = previewForm(STOCK, 'columns', 'columns', ({ session, form, loaded }) => {
  const { companyId, allowNegativeStock } = session;
  const chosen = chosenColumns(form, loaded.header);
  const options = { decimalMark: null, chosen, allowNegativeStock };
  return rereadPreview(STOCK_IMPORTS, companyId, loaded.id, options);
});

function Meaning({ name, meaning }: { name: StockField; meaning: string }) {
  const aliases = aliasesOf(name);
  return (
    <>
      {meaning}
      {aliases.length > 0 && <span class="below">Also accepted: {aliases.join(', ')}</span>}
    </>
  );
}

function ignored({ header, columns }: Pick<StockImport, 'header' | 'columns'>): string[] {
  return ignoredHeadings(header, stockFieldsOf(header, columns));
}

async function showPreview(
  { session: { companyId, allowNegativeStock } }: PageRequest,
  found: StockImport,
  columns: FormState | undefined,
): Promise<PreviewParts> {
  const preview = await findPreview(companyId, found.id, allowNegativeStock);
  const { counts, first, moved, repeated } = preview;
  const isClear = findColumnProblem(found.header, found.columns) === null;
  return {
    isClear,
    figures: <Counts counts={counts} />,
    rejected: rejectedRows(counts),
    problems: preview.problems.map(row => ({ ...row, problem: previewProblem(row) })),
    choices: <Choices counts={counts} found={found} />,
    submit: 'Import',
    columns: <ColumnsPanel found={found} state={columns} />,
    rows: isClear ? <FirstRows rows={first} found={found} /> : <UnreadRows rows={first} />,
    warnings: (
      <>
        {moved.length > 0 && <MovedRows rows={moved} />}
        {repeated.length > 0 && <RepeatedItems items={repeated} />}
      </>
    ),
  };
}

function Counts({ counts }: Pick<ImportPreview, 'counts'>) {
  const { new: created = 0, changed = 0, moved = 0 } = counts;
  const rejected = rejectedRows(counts);
  return (
    <Stats>
      <Stat label="New items">{formatQuantity(created)}</Stat>
      <Stat label="Changed items">{formatQuantity(changed)}</Stat>
      <Stat label="Rejected rows">{formatQuantity(rejected)}</Stat>
      {moved > 0 && <Stat label="Stock changed since export">{formatQuantity(moved)}</Stat>}
    </Stats>
  );
}

function rejectedRows({ invalid = 0, unknown = 0, short = 0 }: ImportPreview['counts']): number {
  return invalid + unknown + short;
}

interface ChoicesProps extends Pick<ImportPreview, 'counts'> {
  readonly found: StockImport;
}

function Choices({ counts: { moved = 0 }, found: { rowsFailed } }: ChoicesProps) {
  return (
    <>
      {moved > 0 && (
        <Checkbox
          name="ignoresExpected"
          label="Also import rows whose stock changed since the export"
          hint="Their counts replace what was sold or received meanwhile. Otherwise left out."
        />
      )}
      {rowsFailed === 0 && (
        <Checkbox
          name="allOrNothing"
          label="All or nothing"
          hint="Stop if any row has an error. Otherwise valid rows are imported."
        />
      )}
    </>
  );
}
