// Writes the planned entries of a batch: their rows, what they give to invoices, the changed
// invoices, payments and credit notes, the goods that go back, and the counters.
import { recordMovements, type Stock } from '../../inventory/stock.js';
import { ADD_FIGURES, figureValues } from '../../inventory/stock-figures.js';
import type { PlannedWrite } from '../../jobs/write-kind.js';
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { fromMinor } from '../../platform/values/money.js';
import type { LedgerPayload } from '../payload.js';
import type { EntryRow, LedgerPlan } from '../rules/entry-plan.js';
import type { LedgerState } from '../rules/state.js';

type Planned = PlannedWrite<LedgerPayload, LedgerPlan>;

/**
 * Violated if another transaction recorded the same transfer in the meantime. A retry of the batch
 * sees its entry.
 */
export const LEDGER_CONFLICTS: readonly string[] = ['entries_external_unique'];

/** Resolves to the JSON texts by entry id. */
export async function writeLedger(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<Map<string, string>> {
  if (planned.length === 0) return new Map();
  await Promise.all([
    insertEntries(planned, tx),
    insertAllocations(planned, state, tx),
    updateInvoices(state, tx),
    updateSources(state, tx),
    recordMovements(
      planned.flatMap(({ plan }) => plan.movements),
      tx,
    ),
    updateCompanies(planned, state, tx),
  ]);
  return new Map(planned.map(({ write, plan }) => [write.resultId, plan.entry.body]));
}

/** JSON has no raw control character. In an array literal, every quote would have to be escaped. */
const BODY_SEPARATOR = '\u001e';

async function insertEntries(planned: readonly Planned[], tx: Transaction): Promise<void> {
  const entries = planned.map(({ plan }) => plan.entry);
  const plain = (of: (entry: EntryRow) => string | bigint | null | undefined) =>
    plainArray(entries.map(of));
  const text = (of: (entry: EntryRow) => string | undefined) => textArray(entries.map(of));
  await query(
    `INSERT INTO entries (
       company_id, id, submission_id, created_by,
       sequence, type, date, currency,
       customer_name, customer_key, amount, source_id, unallocated,
       invoice_id, number, number_prefix, subtotal, tax_total,
       method, reference, external_id, note, reason, explanation,
       created_at, body, credited_lines
     )
     SELECT *
     FROM unnest(
       $1::uuid[], $2::uuid[], $3::uuid[], $4::json[],
       $5::bigint[], $6::text[], $7::date[], $8::text[],
       $9::text[], $10::text[], $11::numeric[], $12::uuid[], $13::numeric[],
       $14::uuid[], $15::bigint[], $16::text[], $17::numeric[], $18::numeric[],
       $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[],
       $25::timestamptz[], string_to_array($26, E'\\x1e'), $27::json[]
     )`,
    [
      plainArray(planned.map(({ write }) => write.companyId)),
      plainArray(planned.map(({ write }) => write.resultId)),
      plainArray(planned.map(({ write }) => write.submissionId)),
      textArray(planned.map(({ write }) => write.createdBy && JSON.stringify(write.createdBy))),
      plain(({ sequence }) => sequence),
      plain(({ type }) => type),
      plain(({ date }) => date),
      plain(({ currency }) => currency),
      text(({ customerName }) => customerName),
      text(({ customerKey }) => customerKey),
      plain(({ amount }) => amount),
      plain(({ sourceId }) => sourceId),
      plain(({ unallocated = '0' }) => unallocated),
      plain(({ creditNote }) => creditNote?.invoiceId),
      plain(({ creditNote }) => creditNote?.number),
      text(({ creditNote }) => creditNote?.numberPrefix),
      plain(({ creditNote }) => creditNote?.subtotal),
      plain(({ creditNote }) => creditNote?.taxTotal),
      plain(({ method }) => method),
      text(({ reference }) => reference),
      text(({ externalId }) => externalId),
      text(({ note }) => note),
      text(({ reason }) => reason),
      text(({ explanation }) => explanation),
      plain(({ createdAt }) => createdAt.toISOString()),
      entries.map(({ body }) => body).join(BODY_SEPARATOR),
      text(({ creditNote }) => creditNote?.creditedLines),
    ],
    tx,
  );
  failPoint('result-inserted');
}

async function insertAllocations(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<void> {
  const rows = planned.flatMap(({ write: { companyId }, plan }) => {
    const { places } = state.company(companyId);
    return plan.allocations.map(({ invoice, sourceId, amount }) => ({
      companyId,
      invoiceId: invoice.id,
      sequence: plan.entry.sequence,
      sourceId,
      amount: fromMinor(amount, places),
    }));
  });
  if (rows.length === 0) return;
  await query(
    `INSERT INTO allocations (company_id, invoice_id, sequence, source_id, amount)
     SELECT *
     FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::numeric[])`,
    [
      plainArray(rows.map(({ companyId }) => companyId)),
      plainArray(rows.map(({ invoiceId }) => invoiceId)),
      plainArray(rows.map(({ sequence }) => sequence)),
      plainArray(rows.map(({ sourceId }) => sourceId)),
      plainArray(rows.map(({ amount }) => amount)),
    ],
    tx,
  );
}

/** A trigger writes the invoices' JSON. */
async function updateInvoices(state: LedgerState, tx: Transaction): Promise<void> {
  const changed = state.changedInvoices();
  if (changed.length === 0) return;
  const amount = (companyId: string, minor: bigint) =>
    fromMinor(minor, state.company(companyId).places);
  await query(
    `UPDATE invoices i
     SET status = changed.status, paid = changed.paid, credited = changed.credited,
       settled_on = changed.settled_on
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::numeric[], $5::numeric[], $6::date[])
       AS changed (company_id, id, status, paid, credited, settled_on)
     WHERE i.company_id = changed.company_id AND i.id = changed.id`,
    [
      plainArray(changed.map(({ companyId }) => companyId)),
      plainArray(changed.map(({ id }) => id)),
      plainArray(changed.map(({ status }) => status)),
      plainArray(changed.map(({ companyId, paid }) => amount(companyId, paid))),
      plainArray(changed.map(({ companyId, credited }) => amount(companyId, credited))),
      plainArray(changed.map(({ settledOn }) => settledOn)),
    ],
    tx,
  );
}

async function updateSources(state: LedgerState, tx: Transaction): Promise<void> {
  const changed = state.changedSources();
  if (changed.length === 0) return;
  const amount = (companyId: string, minor: bigint) =>
    fromMinor(minor, state.company(companyId).places);
  await query(
    `UPDATE entries e
     SET refunded = changed.refunded, unallocated = changed.unallocated,
       reversed = changed.reversed,
       first_body = COALESCE(e.first_body, e.body),
       body = changed.body
     FROM unnest(
         $1::uuid[], $2::uuid[], $3::numeric[], $4::numeric[], $5::boolean[],
         string_to_array($6, E'\\x1e')
       ) AS changed (company_id, id, refunded, unallocated, reversed, body)
     WHERE e.company_id = changed.company_id AND e.id = changed.id`,
    [
      plainArray(changed.map(({ companyId }) => companyId)),
      plainArray(changed.map(({ id }) => id)),
      plainArray(changed.map(({ companyId, refunded }) => amount(companyId, refunded))),
      plainArray(changed.map(({ companyId, unallocated }) => amount(companyId, unallocated))),
      plainArray(changed.map(({ isReversed }) => String(isReversed))),
      changed.map(({ body }) => body).join(BODY_SEPARATOR),
    ],
    tx,
  );
}

/** Stores the counters. Goods that came back make a new version of the company's stock. */
async function updateCompanies(
  planned: readonly Planned[],
  state: LedgerState,
  tx: Transaction,
): Promise<void> {
  const companyIds = [...new Set(planned.map(({ write }) => write.companyId))];
  const companies = companyIds.map(id => state.company(id));
  const restocked = new Set(
    planned.flatMap(({ plan }) => plan.movements.map(({ companyId }) => companyId)),
  );
  const counters = [
    plainArray(companyIds),
    plainArray(companies.map(({ nextSequence }) => nextSequence)),
    plainArray(companies.map(({ nextCreditNoteNumber }) => nextCreditNoteNumber)),
  ];
  if (restocked.size > 0) return updateStocked(counters, companyIds, restocked, state.stock, tx);
  await query(
    `UPDATE companies c
     SET next_entry_sequence = change.sequence, next_credit_note_number = change.number
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS change (id, sequence, number)
     WHERE c.id = change.id`,
    counters,
    tx,
  );
}

async function updateStocked(
  counters: readonly string[],
  companyIds: readonly string[],
  restocked: ReadonlySet<string>,
  stock: Stock,
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE companies c
     SET next_entry_sequence = change.sequence, next_credit_note_number = change.number,
       stock_version = stock_version + change.versions, ${ADD_FIGURES}
     FROM unnest(
       $1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[],
       $5::bigint[], $6::bigint[], $7::bigint[], $8::numeric[]
     ) AS change (id, sequence, number, versions, items, low, out_of_stock, value)
     WHERE c.id = change.id`,
    [
      ...counters,
      plainArray(companyIds.map(id => (restocked.has(id) ? 1 : 0))),
      ...figureValues(companyIds, stock),
    ],
    tx,
  );
}
