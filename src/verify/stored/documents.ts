// Reads all invoices, payments and credit notes once, and compares with them what is stored of each
// a second time: its JSON and its search text.
import type pg from 'pg';
import { STORED_INVOICE, type StoredInvoice } from '../../invoices/issued/stored-invoice.js';
import { parseInvoice } from '../../invoices/issued-invoice.js';
import { searchableRow } from '../../invoices/search/invoice-texts.js';
import type { CreditNote } from '../../ledger/entry-json.js';
import { TEXTS } from '../../ledger/search/entry-texts.js';
import { matchKey } from '../../platform/values/text.js';
import { checkContents } from '../invoice-contents.js';
import { checkFunds } from '../ledger/funds-contents.js';
import { type StoredFunds, storedFunds } from '../ledger/stored-funds.js';
import type { Violation } from '../violation.js';
import { readPages } from './read-rows.js';
import { type SearchedRow, SearchLines } from './search-lines.js';

/** SQL for the rows of a table, company by company in the order of their positions. */
const inOrder = (table: string, position: string) => `
    (
      SELECT c.id, c.currency AS company_currency,
        COALESCE(s.texts_number, 0) AS texts_number,
        COALESCE(s.texts_sequence, 0) AS texts_sequence
      FROM companies c
      LEFT JOIN summaries s ON s.company_id = c.id
      ORDER BY c.id
      OFFSET 0
    ) c,
    LATERAL (
      SELECT t.*, c.company_currency
      FROM ${table} t
      WHERE t.company_id = c.id
      ORDER BY t.${position}
      OFFSET 0
    )`;

const INVOICES = `
  SELECT ${STORED_INVOICE}, c.texts_number AS searchable
  FROM ${inOrder('invoices', 'number')} i`;

type Searched<Row> = Row & { readonly searchable: string };

export async function* checkInvoices(client: pg.Client): AsyncGenerator<Violation> {
  const texts = new SearchLines(client, 'invoices');
  for await (const page of readPages<Searched<StoredInvoice>>(client, INVOICES)) {
    const { companyId, number: position } = page.at(-1) as StoredInvoice;
    await texts.readTo({ companyId, position });
    for (const invoice of page) {
      const json = parseInvoice(invoice.body);
      const { searchable, reference } = invoice;
      const row = Object.assign(searchableRow(Object.assign(invoice, { json })), { searchable });
      const found = [...checkContents(invoice, json).violations, ...texts.compare(row, reference)];
      if (found.length > 0) yield* found;
    }
  }
  yield* texts.rest();
}

const FUNDS = storedFunds(`${inOrder('entries', 'sequence')} e`, 'c.texts_sequence AS searchable');

export async function* checkAllFunds(client: pg.Client): AsyncGenerator<Violation> {
  const texts = {
    payment: new SearchLines(client, 'payments'),
    creditNote: new SearchLines(client, 'creditNotes'),
  };
  for await (const page of readPages<Searched<StoredFunds>>(client, FUNDS)) {
    const { companyId, sequence } = page.at(-1) as StoredFunds;
    for (const each of Object.values(texts))
      await each.readTo({ companyId, position: String(sequence) });
    for (const funds of page) {
      const found = [...checkFunds(funds), ...texts[funds.type].compare(searchedRow(funds))];
      if (found.length > 0) yield* found;
    }
  }
  for (const each of Object.values(texts)) yield* each.rest();
  yield* checkRefundTexts(client);
}

const REFUNDS = `
  SELECT ${TEXTS}, c.texts_sequence AS searchable
  FROM ${inOrder('entries', 'sequence')} e
  WHERE e.type = 'refund'`;

/** The JSON of a refund is checked with its payment or credit note. */
async function* checkRefundTexts(client: pg.Client): AsyncGenerator<Violation> {
  const texts = new SearchLines(client, 'refunds');
  for await (const page of readPages<SearchedRow>(client, REFUNDS)) {
    await texts.readTo(page.at(-1) as SearchedRow);
    for (const row of page) yield* texts.compare(row);
  }
  yield* texts.rest();
}

function searchedRow(funds: Searched<StoredFunds>): SearchedRow {
  const { companyId, sequence, date, amount, searchable } = funds;
  const { items = [] } = funds.type === 'creditNote' ? (JSON.parse(funds.body) as CreditNote) : {};
  const lines = items.flatMap(({ name, sku }) => [name, sku]);
  const texts = [funds.reference, funds.externalId, funds.number, ...lines];
  const [position, customerKey] = [String(sequence), matchKey(funds.customerName)];
  return { companyId, position, date, amount: String(amount), customerKey, texts, searchable };
}
