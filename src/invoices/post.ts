// The batch handler of POST /invoices: lock, plan, write. Only planned invoices take a number, so a
// refusal leaves no gap.
import type { Actor } from '../companies/actor.js';
import { lockCompanies } from '../companies/lock.js';
import { lockStock } from '../inventory/lock-stock.js';
import { confirmNames } from '../inventory/names/resolve-names.js';
import { recordMovements, type Stock } from '../inventory/stock.js';
import { ADD_FIGURES, figureValues } from '../inventory/stock-figures.js';
import { defineWriteKind, type PlannedWrite, type WriteInput } from '../jobs/write-kind.js';
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { matchKey } from '../platform/values/text.js';
import { type InvoiceRecord, renderInvoice } from './invoice-json.js';
import { invoiceBodies } from './queries.js';
import { type InvoicePlan, planInvoice, type Terms } from './rules.js';
import type { InvoiceRequest } from './schema.js';

interface LockedCompany extends Terms {
  readonly prefix: string;
  readonly nextNumber: string;
  /** When the row was locked. */
  readonly now: Date;
}

interface LockedInvoices {
  readonly stock: Stock;
  /** By company id. */
  readonly companies: ReadonlyMap<string, LockedCompany>;
}

type PlannedInvoice = PlannedWrite<InvoiceRequest, InvoicePlan>;

export const invoiceWrites = defineWriteKind<InvoiceRequest, LockedInvoices, InvoicePlan>({
  type: 'invoice.create',
  queue: 'invoices',
  path: () => '/api/external/invoices',
  readScope: 'invoices:read',
  resultSql: `(
    SELECT row_to_json(result)
    FROM (
      SELECT 'invoice' AS type, j.result_id AS id,
        '/api/external/invoices/' || j.result_id AS href
    ) result
  )`,
  retryOn: [],
  hasAmounts: true,
  weigh: ({ items }) => items?.length ?? 1,
  lock: lockInvoices,
  plan: (writes, { stock, companies }) =>
    writes.map(({ companyId, payload }) =>
      planInvoice(companyId, payload, companyOf(companyId, companies), stock),
    ),
  write: writeInvoices,
  readBodies: invoiceBodies,
});

async function lockInvoices(
  inputs: readonly WriteInput<InvoiceRequest>[],
  tx: Transaction,
): Promise<LockedInvoices> {
  const refs = inputs.flatMap(({ companyId, payload }) =>
    payload.items.map(({ name, sku }) =>
      sku === undefined
        ? { companyId, nameKey: matchKey(name) }
        : { companyId, skuKey: matchKey(sku) },
    ),
  );
  const companyIds = inputs.map(({ companyId }) => companyId);
  const [{ stock, names }, companies] = await Promise.all([
    lockStock(refs, tx),
    lockCompanies<LockedCompany>(companyIds, COMPANY, tx),
  ]);
  await confirmNames(refs, names, companies, tx);
  failPoint('stock-locked');
  return { stock, companies: new Map(companies.map(row => [row.id, row])) };
}

const COMPANY = {
  columns: `trim(currency) AS currency,
    allow_negative_stock AS "allowNegativeStock",
    invoice_prefix AS prefix,
    next_invoice_number AS "nextNumber"`,
  computed: 'clock_timestamp() AS now',
};

function companyOf(companyId: string, companies: ReadonlyMap<string, LockedCompany>) {
  const found = companies.get(companyId);
  if (!found) throw new Error(`company ${companyId} does not exist`);
  return found;
}

/** Resolves to the JSON texts by invoice id. */
async function writeInvoices(
  planned: readonly PlannedInvoice[],
  { stock, companies }: LockedInvoices,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const { invoices, nextNumbers } = numberInvoices(planned, companies);
  const movements = planned.flatMap(({ write: { companyId, resultId }, plan }) =>
    plan.deductions.map(({ itemId, delta, after }) => ({
      companyId,
      itemId,
      delta,
      after,
      kind: 'sale',
      invoiceId: resultId,
    })),
  );
  await Promise.all([
    insertInvoices(invoices, tx),
    recordMovements(movements, tx),
    updateCompanies(nextNumbers, stock, tx),
  ]);
  return new Map(invoices.map(({ id, body }) => [id, body]));
}

interface NumberedInvoice extends InvoiceRecord {
  readonly companyId: string;
  readonly submissionId: string;
  readonly createdBy: Actor | null;
  readonly body: string;
}

/** Numbers and renders the invoices. */
function numberInvoices(
  planned: readonly PlannedInvoice[],
  companies: ReadonlyMap<string, LockedCompany>,
): { invoices: NumberedInvoice[]; nextNumbers: Map<string, bigint> } {
  const nextNumbers = new Map<string, bigint>();
  const invoices = planned.map(({ write, plan }) => {
    const { companyId, resultId, submissionId, createdBy, payload } = write;
    const { currency, prefix, nextNumber, now } = companyOf(companyId, companies);
    const number = nextNumbers.get(companyId) ?? BigInt(nextNumber);
    nextNumbers.set(companyId, number + 1n);
    const invoice = {
      id: resultId,
      numberPrefix: prefix,
      number,
      status: 'open',
      currency,
      customerName: payload.customerName,
      date: payload.date,
      reference: payload.reference ?? null,
      lines: plan.lines,
      total: plan.total,
      details: plan.details,
      settlement: { paid: '0', credited: '0', due: plan.total, settledOn: null },
      createdAt: now.toISOString(),
    };
    return { ...invoice, companyId, submissionId, createdBy, body: renderInvoice(invoice) };
  });
  return { invoices, nextNumbers };
}

/** JSON has no raw control character. In an array literal, every quote would have to be escaped. */
const BODY_SEPARATOR = '\u001e';

async function insertInvoices(
  invoices: readonly NumberedInvoice[],
  tx: Transaction,
): Promise<void> {
  const isDue = invoices.some(({ details }) => details.dueDate !== null);
  await query(
    `INSERT INTO invoices (
       company_id, id, submission_id, number, number_prefix,
       customer_name, customer_key, date,
       currency, total, reference,
       created_at, name_keys, created_by, body${isDue ? ', due_date' : ''}
     )
     SELECT *
     FROM unnest(
       $1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[],
       $6::text[], $7::text[], $8::date[],
       $9::text[], $10::numeric[], $11::text[],
       $12::timestamptz[], $13::json[], $14::json[],
       string_to_array($15, E'\\x1e')${isDue ? ', $16::date[]' : ''}
     )`,
    [
      plainArray(invoices.map(({ companyId }) => companyId)),
      plainArray(invoices.map(({ id }) => id)),
      plainArray(invoices.map(({ submissionId }) => submissionId)),
      plainArray(invoices.map(({ number }) => number)),
      textArray(invoices.map(({ numberPrefix }) => numberPrefix)),
      textArray(invoices.map(({ customerName }) => customerName)),
      textArray(invoices.map(({ customerName }) => matchKey(customerName))),
      plainArray(invoices.map(({ date }) => date)),
      plainArray(invoices.map(({ currency }) => currency)),
      plainArray(invoices.map(({ total }) => total)),
      textArray(invoices.map(({ reference }) => reference)),
      plainArray(invoices.map(({ createdAt }) => createdAt)),
      textArray(invoices.map(nameKeys)),
      textArray(invoices.map(({ createdBy }) => createdBy && JSON.stringify(createdBy))),
      invoices.map(({ body }) => body).join(BODY_SEPARATOR),
      ...(isDue ? [plainArray(invoices.map(({ details }) => details.dueDate))] : []),
    ],
    tx,
  );
  failPoint('result-inserted');
}

/** The column name_keys. */
function nameKeys({ lines }: NumberedInvoice): string | null {
  if (lines.every(({ itemId }) => itemId !== null)) return null;
  return JSON.stringify(lines.map(({ name, itemId }) => (itemId ? null : matchKey(name))));
}

/** Stores the next numbers and what the invoices change of the stock figures. */
async function updateCompanies(
  nextNumbers: ReadonlyMap<string, bigint>,
  stock: Stock,
  tx: Transaction,
): Promise<void> {
  const companyIds = [...nextNumbers.keys()];
  await query(
    `UPDATE companies c
     SET next_invoice_number = change.next, ${ADD_FIGURES}
     FROM unnest(
       $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::numeric[]
     ) AS change (id, next, items, low, out_of_stock, value)
     WHERE c.id = change.id`,
    [
      plainArray(companyIds),
      plainArray([...nextNumbers.values()]),
      ...figureValues(companyIds, stock),
    ],
    tx,
  );
}
