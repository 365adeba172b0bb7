// The audit of new documents: the invoices and adjustments of some companies, and their movements.
import { StaleCompanies } from '../companies/stale-companies.js';
import {
  type NewInvoice,
  type ReadInvoices,
  readNewInvoices,
} from '../invoices/issued/new-invoices.js';
import { plainArray, textArray } from '../platform/db/arrays.js';
import { queryOne, type Transaction } from '../platform/db/connection.js';
import { type RowChange, updateRows } from '../platform/db/rows.js';
import { COMPANY_KEY, lockProgress, type RowRange, stepRanges } from '../rollups/progress.js';
import { NUMBERS } from './checks.js';
import { type CheckedInvoice, checkContents } from './invoice-contents.js';
import { CHECK_DOCUMENTS } from './new-rows.js';
import { CHECK_SALES, salesBind } from './new-sales.js';
import {
  cutRanges,
  type Finding,
  findViolations,
  gapsIn,
  readTimes,
  rowsIn,
  type StepResult,
  type StepRow,
  stepEnd,
} from './step.js';

/** Stock versions per company and step. Each has up to a few adjustments. */
const VERSIONS_MAX = 100n;

/** True for a company `c` whose progress `a` is behind its counters. */
const IS_BEHIND = `(
         c.next_invoice_number - 1, c.stock_version, c.next_entry_sequence - 1,
         c.next_event_sequence - 1
       ) IS DISTINCT FROM (
         COALESCE(a.number, 0), COALESCE(a.stock_version, 0), COALESCE(a.entry_sequence, 0),
         COALESCE(a.event_sequence, 0)
       )`;

/**
 * The companies with invoices, adjustments, entries or events that are not audited, or whose credit
 * notes are not rolled up and compared.
 */
export const unaudited = new StaleCompanies(
  `SELECT c.id AS "companyId"
   FROM companies c
   LEFT JOIN audits a ON a.company_id = c.id
   WHERE ${IS_BEHIND} OR COALESCE(a.credit_sequence, 0) <> c.next_entry_sequence - 1`,
);

/** The age in seconds of the oldest row that is not audited; 0 if there is none. */
export async function auditLagSeconds(): Promise<number> {
  const row = await queryOne<{ seconds: string }>(
    `SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(oldest.created_at)), 0) AS seconds
     FROM companies c
     LEFT JOIN audits a ON a.company_id = c.id,
       LATERAL (
         SELECT i.created_at
         FROM invoices i
         WHERE i.company_id = c.id AND i.number = COALESCE(a.number, 0) + 1
         UNION ALL
         (
           SELECT t.created_at
           FROM adjustments t
           WHERE t.company_id = c.id AND t.stock_version > COALESCE(a.stock_version, 0)
           ORDER BY t.stock_version
           LIMIT 1
         )
         UNION ALL
         SELECT e.created_at
         FROM entries e
         WHERE e.company_id = c.id AND e.sequence = COALESCE(a.entry_sequence, 0) + 1
         UNION ALL
         (
           SELECT f.created_at
           FROM feed f
           WHERE f.company_id = c.id AND f.last_sequence > COALESCE(a.event_sequence, 0)
           ORDER BY f.last_sequence
           LIMIT 1
         )
       ) oldest
     WHERE ${IS_BEHIND}`,
    [],
  );
  return Math.max(0, Number(row?.seconds ?? 0));
}

/** True if the audit found a violation that no operator has dealt with. */
export async function hasViolations(tx?: Transaction): Promise<boolean> {
  return (await queryOne('SELECT FROM audit_violations LIMIT 1', [], tx)) !== null;
}

interface Progress {
  readonly companyId: string;
  readonly number: string;
  readonly stockVersion: string;
  /** The last movements of audited invoices and adjustments. */
  readonly saleId: string;
  readonly adjustmentId: string;
  readonly lastNumber: string;
  readonly lastVersion: string;
}

const PROGRESS = `
  p.number, p.stock_version AS "stockVersion",
  p.sale_id AS "saleId", p.adjustment_id AS "adjustmentId",
  c.next_invoice_number - 1 AS "lastNumber", c.stock_version AS "lastVersion"`;

/** The new documents of a company that a step checks, by number and stock version. */
interface DocumentRange extends Progress {
  readonly numbers: RowRange;
  readonly versions: RowRange;
}

/** The last rows of CHECK_DOCUMENTS and CHECK_SALES: each company's last new movement. */
type LastMovement = Finding & Partial<Pick<Progress, 'companyId' | 'saleId' | 'adjustmentId'>>;

/**
 * Audits a bounded number of new documents of the companies that no other process audits, and
 * advances their progress.
 */
export async function checkDocuments(
  companyIds: readonly string[],
  tx: Transaction,
  readInvoices: ReadInvoices = readNewInvoices,
): Promise<StepResult> {
  const progress = await lockProgress<Progress>('audits', PROGRESS, companyIds, 'SKIP LOCKED', tx);
  const { ranges, invoices } = await readDocuments(progress, readInvoices, tx);
  const checked = invoices.map(invoice => ({ invoice, ...checkContents(invoice, invoice.json) }));
  const [adjusted, sold] = await Promise.all([
    findViolations<LastMovement>(CHECK_DOCUMENTS, documentsBind(ranges, checked), tx),
    findViolations<LastMovement>(CHECK_SALES, salesOf(ranges, checked), tx),
  ]);
  const lastAdjustments = new Map(adjusted.rows.map(row => [row.companyId, row.adjustmentId]));
  const lastSales = new Map(sold.rows.map(row => [row.companyId, row.saleId]));
  const advanced = ranges.map(range => ({
    ...range,
    saleId: lastSales.get(range.companyId) ?? range.saleId,
    adjustmentId: lastAdjustments.get(range.companyId) ?? range.adjustmentId,
  }));
  await updateRows('audits', ADVANCE, advanced, tx);
  const left = ranges.filter(
    ({ numbers, versions, lastNumber, lastVersion }) =>
      numbers.upTo < BigInt(lastNumber) || versions.upTo < BigInt(lastVersion),
  );
  return {
    found: [
      ...gapsIn(
        ranges.map(({ numbers }) => numbers),
        invoices,
        NUMBERS,
        'invoices',
      ),
      ...checked.flatMap(({ violations }) => violations),
      ...adjusted.found,
      ...sold.found,
    ],
    left: left.map(({ companyId }) => companyId),
  };
}

const ADVANCE: RowChange<DocumentRange> = {
  key: COMPANY_KEY,
  set: {
    number: ['bigint', ({ numbers }) => numbers.upTo],
    stock_version: ['bigint', ({ versions }) => versions.upTo],
    sale_id: ['bigint', ({ saleId }) => saleId],
    adjustment_id: ['bigint', ({ adjustmentId }) => adjustmentId],
  },
};

/** Reads the invoices of one step, which is bounded by their number, their size and their time. */
async function readDocuments(
  progress: readonly Progress[],
  readInvoices: ReadInvoices,
  tx: Transaction,
): Promise<{ ranges: DocumentRange[]; invoices: (NewInvoice & StepRow)[] }> {
  const next = progress.map(({ companyId, number, lastNumber }) => ({
    companyId,
    done: number,
    last: lastNumber,
  }));
  const { invoices, read } = await readInvoices(stepRanges(next), tx);
  const issued = invoices.map(invoice => ({ ...invoice, position: invoice.number }));
  const versions = progress.flatMap(({ companyId, stockVersion, lastVersion }) =>
    stepRanges([{ companyId, done: stockVersion, last: lastVersion }], VERSIONS_MAX),
  );
  const adjusted = await readTimes('adjustments', 'stock_version', versions, tx);
  const end = stepEnd(issued, adjusted);
  const numbers = cutRanges(read, issued, end);
  const cutVersions = cutRanges(versions, adjusted, end);
  return {
    ranges: progress.map((each, index) => ({
      ...each,
      numbers: numbers[index] as RowRange,
      versions: cutVersions[index] as RowRange,
    })),
    invoices: rowsIn(numbers, issued),
  };
}

type Checked = { readonly invoice: NewInvoice } & Pick<CheckedInvoice, 'lines'>;

/** The bind values of CHECK_DOCUMENTS. */
function documentsBind(ranges: readonly DocumentRange[], checked: readonly Checked[]): string[] {
  const plain = checked.flatMap(({ invoice }) =>
    (invoice.nameKeys ?? []).flatMap((nameKey, index) =>
      nameKey === null ? [] : [{ invoice, position: index + 1, nameKey }],
    ),
  );
  return [
    plainArray(checked.map(({ invoice }) => invoice.companyId)),
    plainArray(checked.map(({ invoice }) => invoice.id)),
    plainArray(checked.map(({ invoice }) => invoice.submissionId)),
    plainArray(checked.map(({ invoice }) => invoice.createdAt.toISOString())),
    plainArray(ranges.map(({ companyId }) => companyId)),
    plainArray(ranges.map(({ versions }) => versions.above)),
    plainArray(ranges.map(({ versions }) => versions.upTo)),
    plainArray(ranges.map(({ adjustmentId }) => adjustmentId)),
    plainArray(plain.map(({ invoice }) => invoice.companyId)),
    plainArray(plain.map(({ invoice }) => invoice.id)),
    plainArray(plain.map(({ invoice }) => invoice.number)),
    plainArray(plain.map(({ position }) => position)),
    textArray(plain.map(({ nameKey }) => nameKey)),
  ];
}

/** The bind values of CHECK_SALES. */
function salesOf(ranges: readonly DocumentRange[], checked: readonly Checked[]): string[] {
  const saleIds = new Map(ranges.map(({ companyId, saleId }) => [companyId, saleId]));
  const lines = checked.flatMap(({ invoice: { companyId, id }, lines: own }) =>
    own.flatMap(({ itemId, qty }) =>
      itemId === null ? [] : [{ companyId, invoiceId: id, itemId, qty }],
    ),
  );
  return salesBind(lines, companyId => saleIds.get(companyId) ?? '0');
}
