// The batch handler of POST /invoices: lock stock, plan, insert. The INSERT takes the numbers, so a
// refusal takes none, and the company row, which all its invoices need, is locked last.
import { lockStock, recordMovements, type Stock } from '../inventory/stock.js';
import { defineWriteKind, type PlannedWrite, type WriteInput } from '../jobs/write-kind.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { matchKey } from '../platform/values/text.js';
import { invoiceBodies, invoiceJson, lineJson } from './queries.js';
import { type InvoicePlan, planInvoice, type Terms } from './rules.js';
import type { InvoiceRequest } from './schema.js';

interface LockedInvoices {
  readonly stock: Stock;
  /** By company id. */
  readonly terms: ReadonlyMap<string, Terms>;
}

type PlannedInvoice = PlannedWrite<InvoiceRequest, InvoicePlan>;

export const invoiceWrites = defineWriteKind<InvoiceRequest, LockedInvoices, InvoicePlan>({
  type: 'invoice.create',
  queue: 'invoices',
  path: '/api/external/invoices',
  readScope: 'invoices:read',
  resultSql: `(
    SELECT row_to_json(result)
    FROM (
      SELECT 'invoice' AS type, j.result_id AS id,
        '/api/external/invoices/' || j.result_id AS href
    ) result
  )`,
  retryOn: ['invoices_submission_unique'],
  lock: lockInvoices,
  plan: (writes, { stock, terms }) =>
    writes.map(({ companyId, payload }) =>
      planInvoice(companyId, payload, termsOf(companyId, terms), stock),
    ),
  write: (planned, { terms }, tx) => writeInvoices(planned, terms, tx),
  readBodies: invoiceBodies,
});

async function lockInvoices(
  inputs: readonly WriteInput<InvoiceRequest>[],
  tx: Transaction,
): Promise<LockedInvoices> {
  const refs = inputs.flatMap(({ companyId, payload }) =>
    payload.items.map(({ name, sku }) =>
      sku === undefined ? { companyId, nameKey: matchKey(name) } : { companyId, sku },
    ),
  );
  const companyIds = [...new Set(inputs.map(({ companyId }) => companyId))];
  const [stock, terms] = await Promise.all([lockStock(refs, tx), readTerms(companyIds, tx)]);
  failPoint('stock-locked');
  return { stock, terms };
}

async function readTerms(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<Map<string, Terms>> {
  const rows = await query<Terms & { id: string }>(
    `SELECT id, trim(currency) AS currency, allow_negative_stock AS "allowNegativeStock"
     FROM companies
     WHERE id = ANY($1::uuid[])`,
    [companyIds],
    tx,
  );
  return new Map(rows.map(row => [row.id, row]));
}

function termsOf(companyId: string, terms: ReadonlyMap<string, Terms>): Terms {
  const found = terms.get(companyId);
  if (!found) throw new Error(`company ${companyId} does not exist`);
  return found;
}

/** Resolves to the JSON texts by invoice id. */
async function writeInvoices(
  planned: readonly PlannedInvoice[],
  terms: ReadonlyMap<string, Terms>,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const movements = planned.flatMap(({ write: { companyId, resultId }, plan }) =>
    plan.deductions.map(deduction => ({
      companyId,
      ...deduction,
      kind: 'sale',
      invoiceId: resultId,
    })),
  );
  const [bodies] = await Promise.all([
    insertInvoices(planned, terms, tx),
    recordMovements(movements, tx),
  ]);
  return bodies;
}

/**
 * Locks the company rows in order, takes the next numbers and inserts the invoices and their lines.
 * Each invoice's JSON is rendered here, once, from the values of its row. If a company changed its
 * currency since its terms were read, the schema refuses the row, and a retry sees the change.
 */
async function insertInvoices(
  planned: readonly PlannedInvoice[],
  terms: ReadonlyMap<string, Terms>,
  tx: Transaction,
): Promise<Map<string, string>> {
  // Lines are sent beside the invoices, since JSON inside JSON would be parsed twice.
  const invoices = planned.map((invoice, position) => toInvoiceRow(invoice, position, terms));
  const lines = planned.flatMap(toLineRows);
  const inserted = await query<{ id: string; body: string }>(
    INSERT_INVOICES,
    [JSON.stringify(invoices), JSON.stringify(lines)],
    tx,
  );
  failPoint('result-inserted');
  return new Map(inserted.map(({ id, body }) => [id, body]));
}

function toInvoiceRow(
  { write: { companyId, resultId, submissionId, payload }, plan }: PlannedInvoice,
  position: number,
  terms: ReadonlyMap<string, Terms>,
) {
  const { customerName, date, reference } = payload;
  return {
    ...{ companyId, id: resultId, submissionId, position, customerName, date, reference },
    customerKey: matchKey(customerName),
    currency: termsOf(companyId, terms).currency,
    total: plan.total,
  };
}

function toLineRows({ write: { payload }, plan }: PlannedInvoice, invoice: number) {
  return payload.items.map(({ name, qty, price }, index) => {
    const line = plan.lines[index];
    const itemKey = line?.itemId ?? `name:${matchKey(name)}`;
    return { invoice, position: index + 1, name, qty, price, ...line, itemKey };
  });
}

/** $1: invoices with their positions in the batch; $2: lines with their invoices' positions. */
const INSERT_INVOICES = `
  WITH planned AS (
    SELECT *,
      row_number() OVER (PARTITION BY "companyId" ORDER BY position) - 1 AS offset_in_company
    FROM json_to_recordset($1) AS invoice (
      "companyId" uuid, id uuid, "submissionId" uuid, position int,
      "customerName" text, "customerKey" text, date date,
      currency text, total numeric, reference text
    )
  ), counted AS (
    SELECT "companyId" AS id, count(*) AS count
    FROM planned
    GROUP BY "companyId"
  ), locked AS (
    SELECT c.id
    FROM companies c JOIN counted USING (id)
    ORDER BY c.id
    FOR NO KEY UPDATE OF c
  ), numbered AS (
    UPDATE companies c
    SET next_invoice_number = c.next_invoice_number + counted.count
    FROM counted JOIN locked USING (id)
    WHERE c.id = counted.id
    RETURNING c.id, c.invoice_prefix AS prefix,
      c.next_invoice_number - counted.count AS first_number
  ), posted AS (
    SELECT planned."companyId" AS company_id, planned.id, "submissionId" AS submission_id,
      first_number + offset_in_company AS number, prefix AS number_prefix, 'open' AS status,
      "customerName" AS customer_name, "customerKey" AS customer_key, date,
      currency, total, reference, position,
      clock_timestamp() AS created_at
    FROM planned JOIN numbered ON numbered.id = planned."companyId"
  ), line AS (
    SELECT *
    FROM json_to_recordset($2) AS l (
      invoice int, position smallint, name text, sku text,
      qty numeric, price numeric, amount numeric,
      "itemId" uuid, "itemKey" text
    )
  ), rendered AS (
    SELECT invoice, ('[' || string_agg(${lineJson}, ',' ORDER BY position) || ']')::json AS lines
    FROM line l
    GROUP BY invoice
  ), inserted_lines AS (
    INSERT INTO invoice_lines (
      company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount
    )
    SELECT posted.company_id, posted.id, line.position, "itemId", "itemKey", name, sku,
      qty, price, amount
    FROM posted JOIN line ON line.invoice = posted.position
  )
  INSERT INTO invoices (
    company_id, id, submission_id, number, number_prefix, status,
    customer_name, customer_key, date,
    currency, total, reference,
    created_at, body
  )
  SELECT i.company_id, i.id, i.submission_id, i.number, i.number_prefix, i.status,
    i.customer_name, i.customer_key, i.date,
    i.currency, i.total, i.reference,
    i.created_at, ${invoiceJson('rendered.lines')}
  FROM posted i JOIN rendered ON rendered.invoice = i.position
  RETURNING id, body`;
