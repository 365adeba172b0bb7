// The words of imports of customers, and the parts of their pages that differ.

import type { RowEntry } from '../../customer-records/imports/columns.js';
import {
  CUSTOMER_FILE_COLUMNS,
  type CustomerColumn,
} from '../../customer-records/imports/headings.js';
import { CUSTOMER_IMPORTS, type CustomerImport } from '../../customer-records/imports/kind.js';
import type { CustomerObstacle } from '../../customer-records/imports/undo.js';
import type { JudgedRow, RowOutcome } from '../../imports/judgement.js';
import type { ImportPages } from '../imports/pages.js';
import { summaryOf } from '../imports/rows.js';
import type { UndoWords } from '../imports/undo.js';
import { Badge, type Tone } from '../kit/ui/components.js';
import { formatQuantity } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import { Stat, Stats } from '../kit/ui/stats.js';
import { CUSTOMERS } from './customer-view.js';

/** Columns whose names do not explain themselves. */
const MEANINGS: readonly (readonly [CustomerColumn, string])[] = [
  ['name', 'Finds the customer if neither externalId nor number does. A new name adds a customer.'],
  ['number', 'Finds the customer if externalId does not.'],
  ['externalId', 'The ID in another system. Finds the customer first.'],
  [
    'aliases',
    'Other names of the customer, each on its own line in the cell. Replaces all of them.',
  ],
  ['emailCc', 'Up to 5 e-mail addresses, each on its own line in the cell.'],
  ['addressCountry', 'A name or two letters, such as Germany or DE. Required in an address.'],
  ['deliveryCountry', 'A name or two letters. Required in a delivery address.'],
  ['electronicAddressScheme', 'A code of the EAS list, such as 9930.'],
  ['language', 'English, German, French, Spanish, Italian or Dutch, or its code, such as en.'],
  ['termsDays', 'Days from the invoice date to the due date: 30, Net 30 or Due on receipt.'],
  ['taxRate', 'In percent.'],
  ['taxCategory', 'S, Z, E, AE, K, G or O.'],
  ['hold', 'Yes or no. Customers on hold get no new invoices.'],
];

const UNDO: UndoWords<CustomerObstacle> = {
  effect: 'Customers become what they were before the import, and those that it added are deleted.',
  done: 'Customers that it added are deleted.',
  record: 'customer',
  none: 'none of its customers',
  show: ({ customerId, name, reason }) => ({
    path: `${CUSTOMERS}/${customerId}`,
    name,
    reason: reason ?? 'Edited, merged or deleted',
    ...(reason !== null && { passing: customers => `${customers} cannot go back.` }),
  }),
};

export const CUSTOMER_IMPORT_PAGES: ImportPages<CustomerImport> = {
  kind: CUSTOMER_IMPORTS,
  guard: 'change-customers',
  noun: 'customers',
  records: 'Customers',
  home: CUSTOMERS,
  homeLabel: 'View customers',
  intro:
    'Other columns are ignored, unless you choose them in the preview. An empty cell leaves a ' +
    'value unchanged; a cell with only a hyphen (-) clears it.',
  guide: MEANINGS,
  figures: ({ rows }) => (
    <Stats>
      <Stat label="New customers">{formatQuantity(rows.new)}</Stat>
      <Stat label="Rows with changes">{formatQuantity(rows.changed)}</Stat>
      <Stat label="Unchanged rows">{formatQuantity(rows.same)}</Stat>
      <Stat label="Rejected rows">{formatQuantity(rows.rejected)}</Stat>
    </Stats>
  ),
  rows: rows => <FirstRows rows={rows as readonly JudgedRow<RowEntry>[]} />,
  repeatedNote: 'Rows apply in file order. If two rows set the same value, the last one wins.',
  result({ status, rowsAdded, rowsChanged, rowsSame, rowsFailed }) {
    const [added, changed, same, failed] = [rowsAdded, rowsChanged, rowsSame, rowsFailed].map(
      formatQuantity,
    );
    const result = `${added} added, ${changed} changed, ${same} unchanged, ${failed} rejected.`;
    return status === 'failed'
      ? `${result} Then something went wrong on our side. ${UPLOAD_AGAIN}`
      : result;
  },
  undo: UNDO,
};
const UPLOAD_AGAIN = 'Download the other rows and upload them again.';

const RESULTS: Readonly<Record<RowOutcome, { readonly tone: Tone; readonly text: string }>> = {
  new: { tone: 'good', text: 'New customer' },
  changed: { tone: 'plain', text: 'Changes customer' },
  same: { tone: 'off', text: 'Unchanged' },
  moved: { tone: 'warn', text: 'Changed' },
  rejected: { tone: 'bad', text: 'Rejected' },
};

function FirstRows({ rows }: { rows: readonly JudgedRow<RowEntry>[] }) {
  return (
    <Table
      caption="First rows"
      rows={rows}
      columns={[
        { head: 'Customer', cell: ({ label, cells }) => label ?? summaryOf(cells) },
        { head: 'Line', align: 'end', cell: ({ line }) => formatQuantity(line) },
        { head: 'Values', cell: row => <span class="wraps">{changesOf(row)}</span> },
        {
          head: 'Result',
          cell: ({ outcome }) => (
            <Badge tone={RESULTS[outcome].tone}>{RESULTS[outcome].text}</Badge>
          ),
        },
      ]}
    />
  );
}

/** The values that the row sets, with those that they replace. */
function changesOf({ entry, before }: JudgedRow<RowEntry>): string {
  const values = Object.entries(entry ?? {}) as [CustomerColumn, unknown][];
  return values
    .flatMap(([column, value]) => {
      const { label } = CUSTOMER_FILE_COLUMNS.spec(column);
      const [from, to] = [textOf(before?.[column]), textOf(value)];
      if (from === to) return [];
      return [from === '' ? `${label}: ${to}` : `${label}: ${from} → ${to || '(cleared)'}`];
    })
    .join(' · ');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatQuantity(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
