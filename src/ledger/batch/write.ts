// Writes the planned entries of a batch: their rows, what they give to invoices, the changed
// invoices, payments and credit notes, the goods that go back, and the counters.
import { addNamedExposures, type NamedExposure } from '../../customers/credit/exposures.js';
import { ADD_EVENTS, type EventCount, NewEvents } from '../../feed/append.js';
import type { NewEvent } from '../../feed/stubs.js';
import { addStockEvents } from '../../inventory/events/stock-events.js';
import { appendMovements } from '../../inventory/stock.js';
import { ADD_FIGURES, type FigureChange, figureChanges } from '../../inventory/stock-figures.js';
import type { PlannedWrite } from '../../jobs/write-kind.js';
import type { Transaction } from '../../platform/db/connection.js';
import {
  add,
  type Columns,
  insertRows,
  ROW_KEY,
  type RowChange,
  updateRows,
} from '../../platform/db/rows.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { fromMinor } from '../../platform/values/money.js';
import type { LedgerPayload } from '../payload.js';
import type { LedgerPlan, PlannedAllocation } from '../rules/entry-plan.js';
import type { Funds, LedgerCompany, LedgerInvoice, LedgerState } from '../rules/state.js';

/** A plan with its events. */
export interface PlannedEntry extends LedgerPlan {
  readonly events: readonly NewEvent[];
}

type Planned = PlannedWrite<LedgerPayload, PlannedEntry>;

/** Resolves to the JSON texts by entry id. */
export async function writeLedger(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  const events = eventsOf(planned, state);
  await Promise.all([
    events.append(companyId => state.company(companyId).nextEvent, tx),
    insertEntries(planned, tx),
    insertAllocations(planned, state, tx),
    updateInvoices(state, tx),
    updateFunds(state, tx),
    updateExposures(planned, state, tx),
    appendMovements(
      planned.flatMap(({ plan }) => plan.movements),
      tx,
    ),
    updateCompanies(planned, state, events, tx),
  ]);
  return new Map(planned.map(({ write, plan }) => [write.resultId, plan.entry.body]));
}

function eventsOf(planned: readonly Planned[], state: LedgerState): NewEvents {
  const events = new NewEvents();
  for (const { write, plan } of planned) events.add(write.companyId, ...plan.events);
  addStockEvents(
    planned.map(({ write }) => write),
    planned.flatMap(({ plan }) => plan.movements),
    state.stock,
    events,
  );
  return events;
}

const creditNote = ({ plan }: Planned) => plan.entry.creditNote;

const ENTRY: Columns<Planned> = {
  company_id: ['uuid', ({ write }) => write.companyId],
  id: ['uuid', ({ write }) => write.resultId],
  submission_id: ['uuid', ({ write }) => write.submissionId],
  created_by: ['json', ({ write }) => write.createdBy && JSON.stringify(write.createdBy)],
  sequence: ['bigint', ({ plan }) => plan.entry.sequence],
  type: ['text', ({ plan }) => plan.entry.type],
  date: ['date', ({ plan }) => plan.entry.date],
  effective_date: ['date', ({ plan }) => plan.entry.effectiveDate],
  currency: ['text', ({ plan }) => plan.entry.currency],
  customer_name: ['text', ({ plan }) => plan.entry.customerName],
  customer_key: ['text', ({ plan }) => plan.entry.customerKey],
  amount: ['numeric', ({ plan }) => plan.entry.amount],
  source_id: ['uuid', ({ plan }) => plan.entry.fundsId],
  unallocated: ['numeric', ({ plan }) => plan.entry.unallocated ?? '0'],
  invoice_id: ['uuid', planned => creditNote(planned)?.invoiceId],
  number: ['bigint', planned => creditNote(planned)?.number],
  number_prefix: ['text', planned => creditNote(planned)?.numberPrefix],
  subtotal: ['numeric', planned => creditNote(planned)?.subtotal],
  tax_total: ['numeric', planned => creditNote(planned)?.taxTotal],
  method: ['text', ({ plan }) => plan.entry.method],
  reference: ['text', ({ plan }) => plan.entry.reference],
  external_id: ['text', ({ plan }) => plan.entry.externalId],
  note: ['text', ({ plan }) => plan.entry.note],
  reason: ['text', ({ plan }) => plan.entry.reason],
  explanation: ['text', ({ plan }) => plan.entry.explanation],
  created_at: ['timestamptz', ({ plan }) => plan.entry.createdAt.toISOString()],
  body: ['body', ({ plan }) => plan.entry.body],
  credited_lines: ['json', planned => creditNote(planned)?.creditedLines],
};

async function insertEntries(planned: readonly Planned[], tx: Transaction): Promise<void> {
  await insertRows('entries', ENTRY, planned, tx);
  failPoint('result-inserted');
}

/** A row with amounts in minor units, and how its currency writes them. */
type WithDecimals<Row> = Row & { readonly decimal: (minor: bigint) => string };

function withDecimals<Row extends { readonly companyId: string }>(
  rows: readonly Row[],
  state: LedgerState,
): WithDecimals<Row>[] {
  return rows.map(row => ({
    ...row,
    decimal: minor => fromMinor(minor, state.company(row.companyId).decimals),
  }));
}

interface EntryAllocation extends PlannedAllocation {
  readonly companyId: string;
  readonly sequence: bigint;
  readonly effectiveDate: string;
}

const ALLOCATION: Columns<WithDecimals<EntryAllocation>> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  invoice_id: ['uuid', ({ invoice }) => invoice.id],
  sequence: ['bigint', ({ sequence }) => sequence],
  source_id: ['uuid', ({ fundsId }) => fundsId],
  amount: ['numeric', ({ amount, decimal }) => decimal(amount)],
  effective_date: ['date', ({ effectiveDate }) => effectiveDate],
  source_date: ['date', ({ fundsDate }) => fundsDate],
  invoice_number: ['bigint', ({ invoice }) => invoice.running],
  invoice_date: ['date', ({ invoice }) => invoice.date],
  due_date: ['date', ({ invoice }) => invoice.dueDate],
  customer_key: ['text', ({ invoice }) => invoice.customerKey],
};

async function insertAllocations(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<void> {
  const rows = planned.flatMap(({ write: { companyId }, plan }) =>
    plan.allocations.map(row => {
      const { sequence, effectiveDate } = plan.entry;
      return { ...row, companyId, sequence, effectiveDate };
    }),
  );
  await insertRows('allocations', ALLOCATION, withDecimals(rows, state), tx);
}

const SETTLEMENT: RowChange<WithDecimals<LedgerInvoice>> = {
  key: ROW_KEY,
  set: {
    status: ['text', ({ status }) => status],
    paid: ['numeric', ({ paid, decimal }) => decimal(paid)],
    credited: ['numeric', ({ credited, decimal }) => decimal(credited)],
    settled_on: ['date', ({ settledOn }) => settledOn],
  },
};

/** A trigger writes the invoices' JSON. */
async function updateInvoices(state: LedgerState, tx: Transaction): Promise<void> {
  await updateRows('invoices', SETTLEMENT, withDecimals(state.changedInvoices(), state), tx);
}

const FUNDS: RowChange<WithDecimals<Funds>> = {
  key: ROW_KEY,
  set: {
    refunded: ['numeric', ({ refunded, decimal }) => decimal(refunded)],
    unallocated: ['numeric', ({ unallocated, decimal }) => decimal(unallocated)],
    reversed: ['boolean', ({ isReversed }) => isReversed],
    first_body: 'COALESCE(stored.first_body, stored.body)',
    body: ['body', ({ body }) => body],
  },
};

async function updateFunds(state: LedgerState, tx: Transaction): Promise<void> {
  await updateRows('entries', FUNDS, withDecimals(state.changedFunds(), state), tx);
}

/** The sign of an entry's amount in outstanding less unallocated; null: it changes neither. */
const EXPOSURE_SIGNS = {
  payment: '-',
  creditNote: '-',
  reversal: '',
  refund: '',
  allocation: null,
};

async function updateExposures(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<void> {
  const changes = planned.flatMap(({ write: { companyId }, plan }): NamedExposure[] => {
    const { type, amount, customerKey } = plan.entry;
    const sign = EXPOSURE_SIGNS[type];
    if (sign === null || !state.company(companyId).hasExposures) return [];
    return [{ companyId, customerKey, added: `${sign}${amount}` }];
  });
  await addNamedExposures(changes, tx);
}

const COUNTERS: RowChange<LedgerCompany & EventCount> = {
  key: { id: ['uuid', ({ id }) => id] },
  set: {
    next_entry_sequence: ['bigint', ({ nextSequence }) => nextSequence],
    next_credit_note_number: ['bigint', ({ nextCreditNoteNumber }) => nextCreditNoteNumber],
    ...ADD_EVENTS,
  },
};

interface StockedCompany extends LedgerCompany, FigureChange, EventCount {
  readonly isRestocked: boolean;
}

const STOCKED_COUNTERS: RowChange<StockedCompany> = {
  key: COUNTERS.key,
  set: {
    ...COUNTERS.set,
    stock_version: ['bigint', ({ isRestocked }) => (isRestocked ? 1 : 0), add],
    ...ADD_FIGURES,
  },
};

/** Stores the counters. Goods that came back make a new version of the company's stock. */
async function updateCompanies(
  planned: readonly Planned[],
  state: LedgerState,
  events: NewEvents,
  tx: Transaction,
): Promise<void> {
  const companyIds = [...new Set(planned.map(({ write }) => write.companyId))];
  const restocked = new Set(
    planned.flatMap(({ plan }) => plan.movements.map(({ companyId }) => companyId)),
  );
  if (restocked.size === 0)
    return updateRows(
      'companies',
      COUNTERS,
      companyIds.map(id => ({ ...state.company(id), events: events.count(id) })),
      tx,
    );
  const changes = figureChanges(companyIds, state.stock).map(change => ({
    ...state.company(change.companyId),
    ...change,
    isRestocked: restocked.has(change.companyId),
    events: events.count(change.companyId),
  }));
  await updateRows('companies', STOCKED_COUNTERS, changes, tx);
}
