// The batch handler of POST /invoices: lock stock, plan, take numbers, insert. Numbers come last, so that a refusal
// takes none and the company row, which all of a company's invoices pass, is held for the shortest time.
import { lockStock, recordMovements } from '../inventory/stock.js';
import type { Outcome, Posting, WriteKind } from '../jobs/submission.js';
import { query, RepeatError, type Transaction } from '../platform/db.js';
import { passStep } from '../platform/fail-point.js';
import { matchKey } from '../platform/text.js';
import { invoiceBodies, invoiceJson, lineJson } from './queries.js';
import { type InvoicePlan, planInvoice, type Terms } from './rules.js';
import type { InvoiceLineRequest, InvoiceRequest } from './schema.js';

export const invoiceWrites: WriteKind<InvoiceRequest> = {
  type: 'invoice.create',
  queue: 'invoices',
  path: '/api/external/invoices',
  resultSql: `(SELECT row_to_json(x) FROM (SELECT 'invoice' AS type, j.result_id AS id, '/api/external/invoices/' || j.result_id AS href) x)`,
  post: postInvoices,
  bodies: invoiceBodies,
};

type Planned = { readonly posting: Posting<InvoiceRequest>; readonly plan: InvoicePlan };

async function postInvoices(postings: readonly Posting<InvoiceRequest>[], tx: Transaction): Promise<Outcome[]> {
  const stock = await lockStock(
    postings.flatMap(({ companyId, payload }) =>
      payload.items.map(({ name, sku }) =>
        sku === undefined ? { companyId, nameKey: matchKey(name) } : { companyId, sku },
      ),
    ),
    tx,
  );
  passStep('stock-locked');
  const terms = await readTerms(
    postings.map(({ companyId }) => companyId),
    tx,
  );
  const plans = postings.map(posting => ({
    posting,
    plan: planInvoice(posting.companyId, posting.payload, termsOf(terms, posting.companyId), stock),
  }));
  const posted = plans.filter((planned): planned is Planned => 'lines' in planned.plan);
  const bodies = await insertInvoices(posted, terms, tx);
  passStep('result-inserted');
  await recordMovements(
    posted.flatMap(({ posting, plan }) =>
      plan.takings.map(taking => ({
        companyId: posting.companyId,
        ...taking,
        kind: 'sale',
        invoiceId: posting.resultId,
      })),
    ),
    tx,
  );
  passStep('stock-moved');
  return plans.map(({ posting, plan }) => ('problem' in plan ? plan : { body: bodies.get(posting.resultId) ?? '' }));
}

async function readTerms(companyIds: readonly string[], tx: Transaction): Promise<Map<string, Terms>> {
  const rows = await query<Terms & { id: string }>(
    `SELECT id, trim(currency) AS currency, allow_negative_stock AS "allowNegativeStock" FROM companies WHERE id = ANY($1::uuid[])`,
    [[...new Set(companyIds)]],
    tx,
  );
  return new Map(rows.map(row => [row.id, row]));
}

function termsOf(terms: Map<string, Terms>, companyId: string): Terms {
  const found = terms.get(companyId);
  if (!found) throw new Error(`company ${companyId} does not exist`);
  return found;
}

interface Numbering {
  readonly next: bigint;
  readonly prefix: string;
  readonly currency: string;
}

/** Takes the next `count` numbers of each company, locking its row until the transaction ends. */
async function takeNumbers(counts: Map<string, number>, tx: Transaction): Promise<Map<string, Numbering>> {
  const rows = await query<{ id: string; first: string; prefix: string; currency: string }>(
    `WITH taken AS (SELECT id, count FROM unnest($1::uuid[], $2::int[]) AS t (id, count)),
       locked AS (SELECT c.id FROM companies c JOIN taken USING (id) ORDER BY c.id FOR NO KEY UPDATE OF c)
     UPDATE companies c SET next_invoice_number = c.next_invoice_number + t.count
     FROM taken t JOIN locked USING (id) WHERE c.id = t.id
     RETURNING c.id, c.next_invoice_number - t.count AS first, c.invoice_prefix AS prefix, trim(c.currency) AS currency`,
    [[...counts.keys()], [...counts.values()]],
    tx,
  );
  return new Map(rows.map(({ id, first, ...row }) => [id, { next: BigInt(first), ...row }]));
}

/**
 * Inserts invoices and lines in one statement; returns the bodies by invoice id. Each is rendered here, once, of the very
 * values that its row gets.
 */
async function insertInvoices(
  posted: readonly Planned[],
  terms: Map<string, Terms>,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (posted.length === 0) return new Map();
  const counts = new Map<string, number>();
  for (const { posting } of posted) counts.set(posting.companyId, (counts.get(posting.companyId) ?? 0) + 1);
  const numbers = await takeNumbers(counts, tx);
  const used = new Map<string, bigint>();
  const rows = posted.map(({ posting: { companyId, submissionId, resultId, payload }, plan }) => {
    const numbering = numbers.get(companyId);
    const before = used.get(companyId) ?? 0n;
    used.set(companyId, before + 1n);
    const { currency } = termsOf(terms, companyId);
    // Read again under the lock: amounts were rounded for a currency that an operator has changed meanwhile.
    if (numbering?.currency !== currency) throw new RepeatError('the company changed its currency');
    return {
      companyId,
      id: resultId,
      submissionId,
      number: String((numbering?.next ?? 0n) + before),
      prefix: numbering?.prefix,
      customerName: payload.customerName,
      customerKey: matchKey(payload.customerName),
      date: payload.date,
      currency,
      total: plan.total,
      reference: payload.reference,
      lines: payload.items.map((line, index) => toLineRow(line, index, plan)),
    };
  });
  const inserted = await query<{ id: string; body: string }>(
    `WITH posted AS (
       SELECT p."companyId" AS company_id, p.id, p."submissionId" AS submission_id, p.number, p.prefix AS number_prefix,
         'open' AS status, p."customerName" AS customer_name, p."customerKey" AS customer_key, p.date, p.currency, p.total,
         p.reference, p.lines, clock_timestamp() AS created_at
       FROM json_to_recordset($1) AS p ("companyId" uuid, id uuid, "submissionId" uuid, number bigint, prefix text,
         "customerName" text, "customerKey" text, date date, currency text, total numeric, reference text, lines json)
     ), line AS (
       SELECT p.company_id, p.id AS invoice_id, l.* FROM posted p, json_to_recordset(p.lines)
         AS l (position smallint, name text, sku text, qty numeric, price numeric, amount numeric, "itemId" uuid, "itemKey" text)
     ), rendered AS (
       SELECT company_id, invoice_id, ('[' || string_agg(${lineJson}, ',' ORDER BY position) || ']')::json AS lines
       FROM line l GROUP BY company_id, invoice_id
     ), inserted_lines AS (
       INSERT INTO invoice_lines (company_id, invoice_id, position, item_id, item_key, name, sku, qty, price, amount)
       SELECT company_id, invoice_id, position, "itemId", "itemKey", name, sku, qty, price, amount FROM line
     )
     INSERT INTO invoices (company_id, id, submission_id, number, number_prefix, status, customer_name, customer_key, date,
       currency, total, reference, created_at, body)
     SELECT i.company_id, i.id, i.submission_id, i.number, i.number_prefix, i.status, i.customer_name, i.customer_key, i.date,
       i.currency, i.total, i.reference, i.created_at, ${invoiceJson('r.lines')}
     FROM posted i JOIN rendered r ON r.company_id = i.company_id AND r.invoice_id = i.id
     RETURNING id, body`,
    [JSON.stringify(rows)],
    tx,
  );
  return new Map(inserted.map(({ id, body }) => [id, body]));
}

function toLineRow({ name, qty, price }: InvoiceLineRequest, index: number, plan: InvoicePlan) {
  const planned = plan.lines[index];
  return { position: index + 1, name, qty, price, ...planned, itemKey: planned?.itemId ?? `name:${matchKey(name)}` };
}
