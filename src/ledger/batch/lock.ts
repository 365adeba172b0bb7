// Locks the companies of a batch of the ledger, and then reads what its plans need.
import { lockCompanies } from '../../companies/lock.js';
import { LIMITS_CREDIT } from '../../customers/credit/exposures.js';
import { NEXT_EVENT } from '../../feed/append.js';
import { readStock, type StockRef } from '../../inventory/read-stock.js';
import type { WriteInput } from '../../jobs/write-kind.js';
import type { Transaction } from '../../platform/db/connection.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { stringMembers } from '../../platform/values/json-text.js';
import { minorUnits, toMinor } from '../../platform/values/money.js';
import {
  creditedInvoiceOf,
  fundsIdOf,
  type LedgerPayload,
  mayRestock,
  recipientsOf,
  transferOf,
} from '../payload.js';
import { settledMembers } from '../rules/entry-events.js';
import { type Funds, type LedgerCompany, type LedgerInvoice, LedgerState } from '../rules/state.js';
import {
  type CreditedInvoiceRow,
  invoiceCredit,
  readCreditedInvoices,
  readTransfers,
} from './read-credited.js';
import { readComparedOwners } from './read-owners.js';
import {
  type FundsAllocation,
  type FundsRow,
  type InvoiceRef,
  type InvoiceRow,
  readAllocations,
  readFundsRows,
  readInvoiceRows,
} from './read-rows.js';

type Input = WriteInput<LedgerPayload>;

export async function lockLedger(inputs: readonly Input[], tx: Transaction): Promise<LedgerState> {
  const credited = inputs.flatMap(({ companyId, payload }) => {
    const id = creditedInvoiceOf(payload);
    return id === null ? [] : [{ companyId, id, payload }];
  });
  const funds = inputs.flatMap(({ companyId, payload }) => {
    const id = fundsIdOf(payload);
    return id === null ? [] : [{ companyId, id }];
  });
  const transfers = inputs.flatMap(({ companyId, payload }) => {
    const transfer = transferOf(payload);
    return transfer === null ? [] : [{ companyId, ...transfer }];
  });
  const companyIds = inputs.map(({ companyId }) => companyId);
  // Statements run in this order on one connection, so all reads see what the lock has waited for.
  const [companyRows, invoiceRows, fundsRows, allocations, creditedRows, known] = await Promise.all(
    [
      lockCompanies<CompanyRow>(companyIds, COMPANY, tx),
      readInvoiceRows(invoiceRefs(inputs), tx),
      readFundsRows(funds, tx),
      readAllocations(funds, tx),
      readCreditedInvoices(credited, tx),
      readTransfers(transfers, tx),
    ],
  );
  const stock = await readStock(goodsOf(credited, creditedRows), tx);
  const companies = companyRows.map(toCompany);
  const decimalsOf = new Map(companies.map(({ id, decimals }) => [id, decimals]));
  const creditOf = new Map(creditedRows.map(row => [`${row.companyId} ${row.id}`, row]));
  const state = new LedgerState({
    companies,
    transfers: known,
    stock,
    invoices: invoiceRows.map(row =>
      toInvoice(
        row,
        creditOf.get(`${row.companyId} ${row.id}`),
        decimalsOf.get(row.companyId) ?? 0,
      ),
    ),
    funds: fundsRows.map(row => toFunds(row, allocations, decimalsOf.get(row.companyId) ?? 0)),
  });
  await readComparedOwners(inputs, state, tx);
  failPoint('locked');
  return state;
}

function toInvoice(
  row: InvoiceRow,
  credit: CreditedInvoiceRow | undefined,
  decimals: number,
): LedgerInvoice {
  const invoice = {
    companyId: row.companyId,
    id: row.id,
    number: row.number,
    customerName: row.customerName,
    customerKey: row.customerKey,
    date: row.date,
    dueDate: row.dueDate,
    running: row.running,
    effectiveDate: row.effectiveDate,
    total: toMinor(row.total, decimals),
    status: row.status,
    paid: toMinor(row.paid, decimals),
    credited: toMinor(row.credited, decimals),
    settledOn: row.settledOn,
    isChanged: false,
    credit: credit ? invoiceCredit(credit) : null,
  };
  return { ...invoice, shown: settledMembers(invoice, decimals) };
}

function toFunds(
  { amount, refunded, unallocated, ...funds }: FundsRow,
  allocations: readonly FundsAllocation[],
  decimals: number,
): Funds {
  const own = allocations.filter(({ fundsId }) => fundsId === funds.id);
  return {
    ...funds,
    amount: toMinor(amount, decimals),
    refunded: toMinor(refunded, decimals),
    unallocated: toMinor(unallocated, decimals),
    isChanged: false,
    allocations: new Map(
      own.map(({ invoiceId, invoiceNumber, amount: part }) => [
        invoiceId,
        { invoiceNumber, amount: toMinor(part, decimals) },
      ]),
    ),
  };
}

/** The invoices that requests name by id or number, and those paid by payments to be reversed. */
function invoiceRefs(inputs: readonly Input[]): InvoiceRef[] {
  return inputs.flatMap(({ companyId, payload }) => {
    const credited = creditedInvoiceOf(payload);
    return [
      ...recipientsOf(payload).map(({ invoiceId, number }) =>
        invoiceId === undefined
          ? { companyId, number: number ?? '' }
          : { companyId, id: invoiceId },
      ),
      ...(credited === null ? [] : [{ companyId, id: credited }]),
      ...(payload.type === 'payment.reverse' ? [{ companyId, paymentId: payload.paymentId }] : []),
    ];
  });
}

/** The items of the lines that may go back into stock. An invoice's lines never change. */
function goodsOf(
  credited: readonly { companyId: string; id: string; payload: LedgerPayload }[],
  rows: readonly CreditedInvoiceRow[],
): StockRef[] {
  const returning = credited.filter(({ payload }) => mayRestock(payload));
  const bodies = new Map(rows.map(row => [`${row.companyId} ${row.id}`, row.body]));
  return returning.flatMap(({ companyId, id }) => {
    const body = bodies.get(`${companyId} ${id}`) ?? '';
    return stringMembers(body, 'itemId').map(itemId => ({ companyId, id: itemId }));
  });
}

interface CompanyRow
  extends Omit<LedgerCompany, 'decimals' | 'nextSequence' | 'nextCreditNoteNumber'> {
  readonly nextSequence: string;
  readonly nextCreditNoteNumber: string;
}

const COMPANY = {
  columns: `trim(currency) AS currency, time_zone AS zone,
    credit_note_prefix AS "creditNotePrefix",
    next_entry_sequence AS "nextSequence",
    ${NEXT_EVENT},
    next_credit_note_number AS "nextCreditNoteNumber",
    customer_count > 0 AS "hasRecords",
    ${LIMITS_CREDIT} AS "hasExposures"`,
  computed: `clock_timestamp() AS now,
    (clock_timestamp() AT TIME ZONE c.zone)::date::text AS today`,
};

function toCompany(row: CompanyRow): LedgerCompany {
  return {
    ...row,
    decimals: minorUnits(row.currency),
    nextSequence: BigInt(row.nextSequence),
    nextCreditNoteNumber: BigInt(row.nextCreditNoteNumber),
  };
}
