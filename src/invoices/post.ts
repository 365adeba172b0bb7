// The batch handler of POST /invoices: lock stock, plan, insert. Numbers are taken where invoices are inserted, so that a
// refusal takes none and the company row, which all of a company's invoices pass, is held for the shortest time.
import { lockStock, recordMovements, type Stock } from '../inventory/stock.js';
import type { Asked, Posted, Posting, WriteKind } from '../jobs/write-kind.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { matchKey } from '../platform/values/text.js';
import { invoiceBodies, invoiceJson, lineJson } from './queries.js';
import { type InvoicePlan, planInvoice, type Terms } from './rules.js';
import type { InvoiceLineRequest, InvoiceRequest } from './schema.js';

interface Ground {
  readonly stock: Stock;
  readonly terms: ReadonlyMap<string, Terms>;
}

export const invoiceWrites: WriteKind<InvoiceRequest, Ground> = {
  type: 'invoice.create',
  queue: 'invoices',
  path: '/api/external/invoices',
  resultSql: `(SELECT row_to_json(x) FROM (SELECT 'invoice' AS type, j.result_id AS id, '/api/external/invoices/' || j.result_id AS href) x)`,
  read: readGround,
  post: postInvoices,
  retryOn: ['invoices_submission_unique'],
  bodies: invoiceBodies,
};

async function readGround(
  asked: readonly Asked<InvoiceRequest>[],
  tx: Transaction,
): Promise<Ground> {
  const refs = asked.flatMap(({ companyId, payload }) =>
    payload.items.map(({ name, sku }) =>
      sku === undefined ? { companyId, nameKey: matchKey(name) } : { companyId, sku },
    ),
  );
  const companyIds = [...new Set(asked.map(({ companyId }) => companyId))];
  const [stock, terms] = await Promise.all([lockStock(refs, tx), readTerms(companyIds, tx)]);
  failPoint('stock-locked');
  return { stock, terms };
}

async function readTerms(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<Map<string, Terms>> {
  const rows = await query<Terms & { id: string }>(
    `SELECT id, trim(currency) AS currency, allow_negative_stock AS "allowNegativeStock" FROM companies WHERE id = ANY($1::uuid[])`,
    [companyIds],
    tx,
  );
  return new Map(rows.map(row => [row.id, row]));
}

interface Planned {
  readonly posting: Posting<InvoiceRequest>;
  readonly plan: InvoicePlan;
  readonly currency: string;
}

function postInvoices(
  postings: readonly Posting<InvoiceRequest>[],
  { stock, terms }: Ground,
  tx: Transaction,
): Posted {
  const plans = postings.map(posting => {
    const companyTerms = terms.get(posting.companyId);
    if (!companyTerms) throw new Error(`company ${posting.companyId} does not exist`);
    const plan = planInvoice(posting.companyId, posting.payload, companyTerms, stock);
    return { posting, plan, currency: companyTerms.currency };
  });
  const planned = plans.filter((each): each is Planned => 'lines' in each.plan);
  return {
    refusals: plans.map(({ plan }) => ('problem' in plan ? plan.problem : null)),
    written: writeInvoices(planned, tx),
  };
}

/** Returns the bodies by invoice id. */
async function writeInvoices(
  planned: readonly Planned[],
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const movements = planned.flatMap(({ posting: { companyId, resultId }, plan }) =>
    plan.deductions.map(taking => ({ companyId, ...taking, kind: 'sale', invoiceId: resultId })),
  );
  const [bodies] = await Promise.all([insertInvoices(planned, tx), recordMovements(movements, tx)]);
  return bodies;
}

/**
 * Takes the next numbers of the companies, locking their rows in order until the transaction ends, and inserts invoices and
 * lines. Each invoice's JSON is rendered here, once, of the very values that its row gets. A company that changed its
 * currency since its terms were read is refused by the schema, as what a repeat cures.
 */
async function insertInvoices(
  planned: readonly Planned[],
  tx: Transaction,
): Promise<Map<string, string>> {
  const rows = planned.map(
    ({ posting: { companyId, submissionId, resultId, payload }, plan, currency }, position) => ({
      ...{ companyId, id: resultId, submissionId, position, currency },
      customerName: payload.customerName,
      customerKey: matchKey(payload.customerName),
      date: payload.date,
      total: plan.total,
      reference: payload.reference,
    }),
  );
  // Beside the invoices and not in them: JSON in JSON would be taken apart twice.
  const lines = planned.flatMap(({ posting: { payload }, plan }, invoice) =>
    payload.items.map((line, index) => ({ invoice, ...toLineRow(line, index, plan) })),
  );
  const inserted = await query<{ id: string; body: string }>(
    `WITH planned AS (
       SELECT *, row_number() OVER (PARTITION BY "companyId" ORDER BY position) - 1 AS before
       FROM json_to_recordset($1) AS p ("companyId" uuid, id uuid, "submissionId" uuid, position int, "customerName" text,
         "customerKey" text, date date, currency text, total numeric, reference text)
     ), taken AS (
       SELECT "companyId" AS id, count(*) AS count FROM planned GROUP BY "companyId"
     ), locked AS (
       SELECT c.id FROM companies c JOIN taken USING (id) ORDER BY c.id FOR NO KEY UPDATE OF c
     ), numbered AS (
       UPDATE companies c SET next_invoice_number = c.next_invoice_number + t.count
       FROM taken t JOIN locked USING (id) WHERE c.id = t.id
       RETURNING c.id, c.next_invoice_number - t.count AS first, c.invoice_prefix AS prefix
     ), posted AS (
       SELECT p."companyId" AS company_id, p.id, p."submissionId" AS submission_id, n.first + p.before AS number,
         n.prefix AS number_prefix, 'open' AS status, p."customerName" AS customer_name, p."customerKey" AS customer_key, p.date,
         p.currency, p.total, p.reference, p.position, clock_timestamp() AS created_at
       FROM planned p JOIN numbered n ON n.id = p."companyId"
     ), line AS (
       SELECT * FROM json_to_recordset($2) AS l (invoice int, position smallint, name text, sku text, qty numeric,
         price numeric, amount numeric, "itemId" uuid, "itemKey" text)
     ), rendered AS (
       SELECT invoice, ('[' || string_agg(${lineJson}, ',' ORDER BY position) || ']')::json AS lines
       FROM line l GROUP BY invoice
     ), inserted_lines AS (
       INSERT INTO invoice_lines (company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount)
       SELECT p.company_id, p.id, l.position, "itemId", "itemKey", name, sku, qty, price, amount
       FROM posted p JOIN line l ON l.invoice = p.position
     )
     INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, status, customer_name, customer_key, date,
       currency, total, reference, created_at, body)
     SELECT i.company_id, i.id, i.submission_id, i.number, i.number_prefix, i.status, i.customer_name, i.customer_key, i.date,
       i.currency, i.total, i.reference, i.created_at, ${invoiceJson('r.lines')}
     FROM posted i JOIN rendered r ON r.invoice = i.position
     RETURNING id, body`,
    [JSON.stringify(rows), JSON.stringify(lines)],
    tx,
  );
  failPoint('result-inserted');
  return new Map(inserted.map(({ id, body }) => [id, body]));
}

function toLineRow({ name, qty, price }: InvoiceLineRequest, index: number, plan: InvoicePlan) {
  const planned = plan.lines[index];
  return {
    position: index + 1,
    name,
    qty,
    price,
    ...planned,
    itemKey: planned?.itemId ?? `name:${matchKey(name)}`,
  };
}
