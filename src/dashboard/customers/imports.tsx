// The pages of imports of customers: their words and their preview.

import type { RowEntry } from '../../customer-records/imports/columns.js';
import {
  COLUMN_NAMES,
  type CustomerColumn,
  columnsOf,
} from '../../customer-records/imports/columns.js';
import { CUSTOMER_IMPORTS, type CustomerImport } from '../../customer-records/imports/kind.js';
import { ignoredHeadings } from '../../imports/file.js';
import { type ImportRow, listRowsLeft } from '../../imports/queries.js';
import type { ImportPages, PreviewParts } from '../imports/pages.js';
import type { PageRequest } from '../kit/page.js';
import { formatCount, formatQuantity } from '../kit/ui/format.js';
import { Table } from '../kit/ui/list.js';
import { CUSTOMERS } from './customer-view.js';

/** Rows of the preview, and rejected rows, that the page shows. */
const FIRST_ROWS = 10;
const REJECTED_ROWS = 100;

/** Columns whose names do not explain themselves. */
const MEANINGS: Readonly<Partial<Record<CustomerColumn, string>>> = {
  name: 'Finds the record if neither externalId nor number does. A new name adds a record.',
  number: 'Finds the record if externalId does not.',
  externalId: 'The ID in another system. Finds the record first.',
  aliases: 'Other names of the customer, each on its own line in the cell. Replaces all of them.',
  emailCc: 'Up to 5 e-mail addresses, each on its own line in the cell.',
  addressCountry: 'Two letters, such as DE. Required in an address.',
  deliveryCountry: 'Two letters, such as DE. Required in a delivery address.',
  electronicAddressScheme: 'A code of the EAS list, such as 9930.',
  language: 'en, de, fr, es, it or nl.',
  termsDays: 'Days from the invoice date to the due date.',
  taxRate: 'In percent.',
  taxCategory: 'S, Z, E, AE, K, G or O.',
  hold: 'true or false. Customers on hold get no new invoices.',
};

export const CUSTOMER_IMPORT_PAGES: ImportPages<CustomerImport> = {
  kind: CUSTOMER_IMPORTS,
  guard: 'change-customers',
  noun: 'customers',
  home: CUSTOMERS,
  homeLabel: 'View customers',
  intro:
    'Other columns are ignored. An empty cell leaves a value unchanged; a cell with only a ' +
    'hyphen (-) clears it.',
  guide: Object.entries(MEANINGS),
  furtherColumns: COLUMN_NAMES.filter(name => !(name in MEANINGS)),
  preview: showPreview,
  ignored: ({ header }) => ignoredHeadings(header, columnsOf(header)),
  result({ status, rowsAdded, rowsChanged, rowsSame, rowsFailed }) {
    const [added, changed, same, failed] = [rowsAdded, rowsChanged, rowsSame, rowsFailed].map(
      formatQuantity,
    );
    const result = `${added} added, ${changed} changed, ${same} unchanged, ${failed} rejected.`;
    return status === 'failed'
      ? `${result} Then something went wrong on our side. ${UPLOAD_AGAIN}`
      : result;
  },
};
const UPLOAD_AGAIN = 'Download the other rows and upload them again.';

async function showPreview(
  { session: { companyId } }: PageRequest,
  { id, rowsTotal, rowsNew, rowsFailed }: CustomerImport,
): Promise<PreviewParts> {
  const read = (which: 'valid' | 'refused', limit: number) =>
    listRowsLeft<RowEntry>(CUSTOMER_IMPORTS, companyId, id, { after: 0, limit, which });
  const [first, refused] = await Promise.all([
    read('valid', FIRST_ROWS),
    read('refused', REJECTED_ROWS),
  ]);
  const valid = rowsTotal - rowsFailed;
  return {
    isClear: true,
    figures: (
      <p>
        {`${formatCount(valid - rowsNew, 'existing customer')}, ${formatQuantity(rowsNew)} new, ` +
          `${formatCount(rowsFailed, 'rejected row')}.`}
      </p>
    ),
    rejected: rowsFailed,
    problems: refused.map(({ errors, ...row }) => ({ ...row, problem: (errors ?? []).join(' ') })),
    submit: `Import ${formatCount(valid, 'row')}`,
    rows: <FirstRows rows={first} />,
  };
}

/** The values of a row, each with its column. */
function FirstRows({ rows }: { rows: readonly ImportRow<RowEntry>[] }) {
  return (
    <Table
      caption="First rows"
      rows={rows}
      columns={[
        { head: 'Line', cell: ({ line }) => `Line ${line}` },
        {
          head: 'Values',
          cell: ({ entry }) => (
            <span class="wraps">
              {Object.entries(entry ?? {})
                .map(([column, value]) => `${column}: ${value === null ? '(cleared)' : value}`)
                .join(' · ')}
            </span>
          ),
        },
      ]}
    />
  );
}
