// The batch handler of POST /invoices: lock, plan, write. Only planned invoices take a number, so a
// refusal leaves no gap.
import { lockCompanies } from '../companies/lock.js';
import { CHECKS_CREDIT, Credits } from '../customers/credit/credits.js';
import { addExposures } from '../customers/credit/exposures.js';
import type { NameRef } from '../customers/names/names.js';
import { insertEmailsOfCreates } from '../emails/outbox.js';
import { ADD_EVENTS, type EventCount, NEXT_EVENT, NewEvents } from '../feed/append.js';
import { addStockEvents } from '../inventory/events/stock-events.js';
import { readStock } from '../inventory/read-stock.js';
import { appendMovements, type Stock, type StockMovement } from '../inventory/stock.js';
import { ADD_FIGURES, type FigureChange, figureChanges } from '../inventory/stock-figures.js';
import type { PlannedWrite, WriteInput, WriteKind, WriteQueue } from '../jobs/write-kind.js';
import { API } from '../platform/api-path.js';
import type { Transaction } from '../platform/db/connection.js';
import { type RowChange, updateRows } from '../platform/db/rows.js';
import { failPoint } from '../platform/process/fail-point.js';
import { matchKey } from '../platform/values/text.js';
import { type DraftState, type InvoicePayload, refuseChangedDraft } from './drafts/draft-ref.js';
import { deleteDrafts, draftKey, readDraftStates } from './drafts/drafts.js';
import { invoiceNumber, renderInvoice } from './invoice-json.js';
import { insertInvoices, type NumberedInvoice } from './posting/insert.js';
import { invoiceBodies } from './queries.js';
import { type InvoicePlan, type PostingSettings, planInvoice, totalOf } from './rules.js';
import { emailOfInvoice } from './sending/order.js';

interface LockedCompany extends PostingSettings {
  readonly id: string;
  readonly checksCredit: boolean;
  readonly prefix: string;
  readonly nextNumber: string;
  readonly nextEvent: string;
  /** When the row was locked. */
  readonly now: Date;
}

interface LockedInvoices {
  readonly stock: Stock;
  /** The companies by id. */
  readonly companies: ReadonlyMap<string, LockedCompany>;
  readonly credits: Credits;
  /** The drafts that the batch issues, by `draftKey`. A plan removes its own. */
  readonly drafts: Map<string, DraftState>;
}

type PlannedInvoice = PlannedWrite<InvoicePayload, InvoicePlan>;

export const invoiceWrites: WriteKind<InvoicePayload, LockedInvoices, InvoicePlan> = {
  type: 'invoice.create',
  queue: 'invoices',
  path: () => `${API}/invoices`,
  readScope: 'invoices:read',
  resultSql: `(
    SELECT row_to_json(result)
    FROM (
      SELECT 'invoice' AS type, j.result_id AS id,
        '${API}/invoices/' || j.result_id AS href
    ) result
  )`,
  hasAmounts: true,
  lineCount: ({ items }) => items?.length ?? 1,
  plan: ({ companyId, payload }, { stock, companies, credits, drafts }) => {
    const { draft } = payload;
    const key = draft && draftKey({ companyId, id: draft.id });
    const changed = draft && refuseChangedDraft(draft, drafts.get(key ?? '') ?? null);
    if (changed) return { refusal: changed };
    const company = companyOf(companyId, companies);
    const credit = company.checksCredit ? credits.find(customerOf({ companyId, payload })) : null;
    const decision = planInvoice(companyId, payload, company, stock, credit);
    if (key && 'plan' in decision) drafts.delete(key);
    return decision;
  },
  readBodies: invoiceBodies,
};

export const invoiceQueue: WriteQueue<InvoicePayload, LockedInvoices, InvoicePlan> = {
  name: invoiceWrites.queue,
  label: invoiceWrites.type,
  kinds: [invoiceWrites],
  lock: lockInvoices,
  write: writeInvoices,
};

async function lockInvoices(
  inputs: readonly WriteInput<InvoicePayload>[],
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
  const [rows, stock, drafts] = await Promise.all([
    lockCompanies<LockedCompany>(companyIds, COMPANY, tx),
    readStock(refs, tx),
    readDraftStates(inputs.flatMap(draftOf), tx),
  ]);
  const companies = new Map(rows.map(row => [row.id, row]));
  const requests = inputs.flatMap(input => {
    const company = companyOf(input.companyId, companies);
    const total = () => totalOf(input.payload, company.currency);
    return company.checksCredit ? [{ ...customerOf(input), total }] : [];
  });
  const credits = await Credits.read(requests, tx);
  failPoint('locked');
  return { stock, companies, credits, drafts };
}

/** The match key of an invoice's customer. */
function customerOf({ companyId, payload }: WriteInput<InvoicePayload>): NameRef {
  return { companyId, nameKey: matchKey(payload.customerName) };
}

/** The draft that a write issues, if it issues one. */
function draftOf({ companyId, payload: { draft } }: WriteInput<InvoicePayload>) {
  return draft ? [{ companyId, id: draft.id }] : [];
}

const COMPANY = {
  columns: `trim(currency) AS currency,
    allow_negative_stock AS "allowNegativeStock",
    invoice_prefix AS prefix,
    next_invoice_number AS "nextNumber",
    ${NEXT_EVENT},
    ${CHECKS_CREDIT} AS "checksCredit"`,
  computed: 'clock_timestamp() AS now',
};

function companyOf(companyId: string, companies: ReadonlyMap<string, LockedCompany>) {
  const found = companies.get(companyId);
  if (!found) throw new Error(`company ${companyId} does not exist`);
  return found;
}

/** Writes the invoices and their effects. Resolves to the JSON texts by invoice id. */
async function writeInvoices(
  planned: readonly PlannedInvoice[],
  { stock, companies, credits }: LockedInvoices,
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
  const events = eventsOf(planned, movements, stock);
  await Promise.all([
    insertInvoices(invoices, tx),
    events.append(companyId => companyOf(companyId, companies).nextEvent, tx),
    insertEmailsOfCreates(emailsOf(planned, invoices), tx),
    addExposures(credits.changed(), tx),
    appendMovements(movements, tx),
    updateCompanies(nextNumbers, stock, events, tx),
    deleteDrafts(
      planned.flatMap(({ write }) => draftOf(write)),
      tx,
    ),
  ]);
  return new Map(invoices.map(({ id, body }) => [id, body]));
}

function eventsOf(
  planned: readonly PlannedInvoice[],
  movements: readonly StockMovement[],
  stock: Stock,
): NewEvents {
  const events = new NewEvents();
  const writes = planned.map(({ write }) => write);
  for (const { companyId, resultId, createdBy } of writes)
    events.add(companyId, { type: 'invoice.created', subjectId: resultId, actor: createdBy });
  addStockEvents(writes, movements, stock, events);
  return events;
}

/** The e-mails of the invoices that are sent. */
function emailsOf(planned: readonly PlannedInvoice[], invoices: readonly NumberedInvoice[]) {
  return invoices.flatMap((invoice, index) => {
    const { send } = planned[index]?.write.payload ?? {};
    return send
      ? [
          emailOfInvoice(
            { ...invoice, number: invoiceNumber(invoice.numberPrefix, invoice.number) },
            send,
          ),
        ]
      : [];
  });
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

interface CompanyChange extends FigureChange, EventCount {
  readonly nextNumber: bigint | undefined;
}

const COMPANY_CHANGE: RowChange<CompanyChange> = {
  key: { id: ['uuid', ({ companyId }) => companyId] },
  set: {
    next_invoice_number: ['bigint', ({ nextNumber }) => nextNumber],
    ...ADD_FIGURES,
    ...ADD_EVENTS,
  },
};

/** Stores the next numbers, and adds the changes of the stock to its figures. */
async function updateCompanies(
  nextNumbers: ReadonlyMap<string, bigint>,
  stock: Stock,
  events: NewEvents,
  tx: Transaction,
): Promise<void> {
  const changes = figureChanges([...nextNumbers.keys()], stock).map(change => ({
    ...change,
    nextNumber: nextNumbers.get(change.companyId),
    events: events.count(change.companyId),
  }));
  await updateRows('companies', COMPANY_CHANGE, changes, tx);
}
