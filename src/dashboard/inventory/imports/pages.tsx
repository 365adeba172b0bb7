// The words of imports of stock, and the parts of their pages that differ.

import type { Judgement } from '../../../imports/judgement.js';
import type { StockField } from '../../../inventory/imports/headings.js';
import { STOCK_IMPORTS, type StockImport } from '../../../inventory/imports/kind.js';
import type { Obstacle } from '../../../inventory/imports/undo/changes.js';
import type { ImportPages } from '../../imports/pages.js';
import { importPages } from '../../imports/routes.js';
import type { UndoWords } from '../../imports/undo.js';
import type { PageRoute } from '../../kit/page.js';
import { Checkbox } from '../../kit/ui/fields.js';
import { formatQuantity } from '../../kit/ui/format.js';
import { Stat, Stats } from '../../kit/ui/stats.js';
import { REORDER_HINT } from '../item-forms.js';
import { MOVEMENT_LABELS } from '../item-view.js';
import { FirstRows, MovedRows } from './rows.js';

const MEANINGS: readonly (readonly [StockField, string])[] = [
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

const REASONS: Readonly<Record<string, string>> = {
  edited: 'Edited',
  archived: 'Archived',
  short: 'Not enough stock',
};

const UNDO: UndoWords<Obstacle> = {
  effect:
    'Prices, costs, reorder points, units and stock go back to what they were before the import, ' +
    'and items that it added are archived.',
  done: 'Items that it added are archived.',
  record: 'item',
  none: 'none of its items',
  show: ({ itemId, name, reason }) => ({
    path: `/inventory/${itemId}`,
    name,
    reason: REASONS[reason] ?? MOVEMENT_LABELS[reason] ?? reason,
    ...(reason === 'short' && {
      passing: items => `the stock of ${items} would fall below zero.`,
    }),
  }),
};

const STOCK: ImportPages<StockImport> = {
  kind: STOCK_IMPORTS,
  guard: 'set-prices',
  noun: 'stock',
  records: 'Items',
  home: '/inventory',
  homeLabel: 'View inventory',
  intro:
    'Other columns are ignored, unless you choose them in the preview. Empty cells leave values ' +
    'unchanged. Without a count or delta column, such as in a price list, no stock changes.',
  guide: MEANINGS,
  readOptions: ({ allowNegativeStock }) => ({ allowNegativeStock }),
  startChoices: form => ({
    all_or_nothing: form.get('allOrNothing') === 'true',
    ignores_expected: form.get('ignoresExpected') === 'true',
  }),
  figures: judgement => <Figures {...judgement} />,
  choices: (judgement, found) => <Choices {...judgement} found={found} />,
  rows: (rows, found) => <FirstRows rows={rows} found={found} />,
  movedRows: rows => <MovedRows rows={rows} />,
  repeatedNote: 'Rows apply in file order. If an item is counted twice, the last count wins.',
  undo: UNDO,
};

export function stockImportPages(): PageRoute[] {
  return importPages(STOCK);
}

function Figures({ rows, records }: Judgement) {
  return (
    <Stats>
      <Stat label="New items">{formatQuantity(records.new)}</Stat>
      <Stat label="Changed items">{formatQuantity(records.changed)}</Stat>
      <Stat label="Rejected rows">{formatQuantity(rows.rejected)}</Stat>
      {rows.moved > 0 && (
        <Stat label="Stock changed since export">{formatQuantity(rows.moved)}</Stat>
      )}
    </Stats>
  );
}

function Choices({ rows: { moved }, found: { rowsFailed } }: Judgement & { found: StockImport }) {
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
