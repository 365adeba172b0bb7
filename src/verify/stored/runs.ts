// The checks of what is stored a second time that need TypeScript: they render it again from its
// row. Each reads its table once, in pages.
import type pg from 'pg';
import {
  CUSTOMER_BODIES,
  CUSTOMER_COLUMNS,
  checkCustomerColumns,
  checkCustomerVersions,
  NAME_HISTORY,
  STORED_CUSTOMER_NAMES,
} from '../customers/records.js';
import { CONTENTS } from '../invoice-contents.js';
import {
  CREDIT_SHARES,
  checkCreditNotes,
  creditedInvoices,
  type InvoiceWithNotes,
} from '../ledger/credit-contents.js';
import { FUNDS_BODIES } from '../ledger/funds-contents.js';
import type { Violation } from '../violation.js';
import { checkDeliveries, DELIVERY_PARTS } from './deliveries.js';
import { checkAllFunds, checkInvoices } from './documents.js';
import { checkForeignKeys, FOREIGN_KEYS } from './foreign-keys.js';
import { MATCH_KEYS, STORED_KEYS } from './keys.js';
import { readEachRow } from './read-rows.js';
import { checkRendered } from './rendered.js';
import { SEARCH_LINES } from './search-lines.js';

export interface Run {
  /** The invariants that it checks. */
  readonly names: readonly string[];
  /** The client is in a transaction. */
  readonly run: (client: pg.Client) => AsyncIterable<Violation>;
}

/** The slowest come first. */
export const STORED_RUNS: readonly Run[] = [
  { names: [...Object.values(CONTENTS), SEARCH_LINES], run: checkInvoices },
  { names: [FUNDS_BODIES], run: checkAllFunds },
  { names: [CREDIT_SHARES], run: checkCredits },
  { names: [CUSTOMER_BODIES, STORED_CUSTOMER_NAMES, NAME_HISTORY], run: checkCustomerVersions },
  { names: [CUSTOMER_COLUMNS], run: checkCustomerColumns },
  { names: [MATCH_KEYS], run: checkKeys },
  { names: [DELIVERY_PARTS], run: checkDeliveries },
  { names: [FOREIGN_KEYS], run: checkForeignKeys },
];

/** The invoices with credit notes. Few have any. */
const CREDITED = `
  (
    SELECT DISTINCT company_id, invoice_id
    FROM entries
    WHERE invoice_id IS NOT NULL
  ) credited
  JOIN invoices i ON i.company_id = credited.company_id AND i.id = credited.invoice_id`;

async function* checkCredits(client: pg.Client): AsyncGenerator<Violation> {
  for await (const invoice of readEachRow<InvoiceWithNotes>(client, creditedInvoices(CREDITED)))
    yield* checkCreditNotes(invoice);
}

async function* checkKeys(client: pg.Client): AsyncGenerator<Violation> {
  const [items, rows, customerRows] = STORED_KEYS;
  yield* checkRendered(client, items);
  yield* checkRendered(client, rows);
  yield* checkRendered(client, customerRows);
}
