// One step of the audit: the new invoices and adjustments of some companies, and their movements.
import {
  type NewInvoice,
  type ReadInvoices,
  readNewInvoices,
} from '../invoices/issued/new-invoices.js';
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { LOOKUP_PLANS } from '../platform/db/limits.js';
import { setPlans } from '../platform/db/plans.js';
import { NUMBERS } from './checks.js';
import { checkContents } from './invoice-contents.js';
import { AUDIT_PLANS, CHECK_DOCUMENTS, type Finding, violationsOf } from './new-rows.js';
import { lockProgress, type Progress, type Range, readStep } from './step.js';
import type { Violation } from './violation.js';

/** The companies with invoices, adjustments or entries that are not audited. */
export async function findUnaudited(): Promise<string[]> {
  const rows = await query<{ companyId: string }>(
    `SELECT c.id AS "companyId"
     FROM companies c
     LEFT JOIN audits a ON a.company_id = c.id
     WHERE (c.next_invoice_number - 1, c.stock_version, c.next_entry_sequence - 1)
         IS DISTINCT FROM
           (COALESCE(a.number, 0), COALESCE(a.stock_version, 0), COALESCE(a.entry_sequence, 0))`,
    [],
  );
  return rows.map(({ companyId }) => companyId);
}

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
       ) oldest
     WHERE (c.next_invoice_number - 1, c.stock_version, c.next_entry_sequence - 1)
         IS DISTINCT FROM
           (COALESCE(a.number, 0), COALESCE(a.stock_version, 0), COALESCE(a.entry_sequence, 0))`,
    [],
  );
  return Math.max(0, Number(row?.seconds ?? 0));
}

/** True if the audit found a violation that no operator has dealt with. */
export async function hasViolations(tx?: Transaction): Promise<boolean> {
  return (await queryOne('SELECT FROM audit_violations LIMIT 1', [], tx)) !== null;
}

/**
 * Audits a bounded number of new rows of the companies that no other process audits, and advances
 * their progress. Returns what it found, and the companies with more new rows as `left`.
 */
export async function checkDocuments(
  companyIds: readonly string[],
  tx: Transaction,
  readInvoices: ReadInvoices = readNewInvoices,
): Promise<{ found: Violation[]; left: string[] }> {
  const progress = await lockProgress(companyIds, tx);
  const { ranges, invoices } = await readStep(progress, readInvoices, tx);
  const checked = invoices.map(invoice => ({
    invoice,
    ...checkContents(invoice, invoice.json),
  }));
  const sold = checked.flatMap(({ invoice, lines }) =>
    lines.flatMap(({ itemId, qty }) => (itemId === null ? [] : [{ invoice, itemId, qty }])),
  );
  const plain = invoices.flatMap(invoice =>
    (invoice.nameKeys ?? []).flatMap((nameKey, index) =>
      nameKey === null ? [] : [{ invoice, position: index + 1, nameKey }],
    ),
  );
  await setPlans(AUDIT_PLANS, tx);
  const rows = await query<Finding & Partial<Progress>>(
    CHECK_DOCUMENTS,
    [
      plainArray(invoices.map(({ companyId }) => companyId)),
      plainArray(invoices.map(({ id }) => id)),
      plainArray(invoices.map(({ submissionId }) => submissionId)),
      plainArray(invoices.map(({ createdAt }) => createdAt.toISOString())),
      plainArray(sold.map(({ invoice }) => invoice.companyId)),
      plainArray(sold.map(({ invoice }) => invoice.id)),
      plainArray(sold.map(({ itemId }) => itemId)),
      plainArray(sold.map(({ qty }) => qty)),
      ranges.map(({ companyId }) => companyId),
      ranges.map(({ stockVersion }) => stockVersion),
      ranges.map(({ upToVersion }) => upToVersion),
      ranges.map(({ saleId }) => saleId),
      ranges.map(({ adjustmentId }) => adjustmentId),
      plainArray(plain.map(({ invoice }) => invoice.companyId)),
      plainArray(plain.map(({ invoice }) => invoice.id)),
      plainArray(plain.map(({ invoice }) => invoice.number)),
      plainArray(plain.map(({ position }) => position)),
      textArray(plain.map(({ nameKey }) => nameKey)),
    ],
    tx,
  );
  const violations = violationsOf(rows);
  await setPlans(LOOKUP_PLANS, tx);
  await advance(ranges, new Map(rows.map(row => [row.companyId ?? '', row])), tx);
  const isLeft = ({ upToNumber, upToVersion, lastNumber, lastVersion }: Range) =>
    upToNumber < BigInt(lastNumber) || upToVersion < BigInt(lastVersion);
  return {
    found: [
      ...missingNumbers(ranges, invoices),
      ...checked.flatMap(each => each.violations),
      ...violations,
    ],
    left: ranges.filter(isLeft).map(({ companyId }) => companyId),
  };
}

/** Numbers are unique, so a range without a gap has as many invoices as numbers. */
function missingNumbers(ranges: readonly Range[], invoices: readonly NewInvoice[]): Violation[] {
  const counts = new Map<string, number>();
  for (const { companyId } of invoices) counts.set(companyId, (counts.get(companyId) ?? 0) + 1);
  return ranges.flatMap(({ companyId, number, upToNumber }) => {
    const [count, expected] = [counts.get(companyId) ?? 0, Number(upToNumber - BigInt(number))];
    const range = { above: number, upTo: String(upToNumber), invoices: count };
    return count === expected ? [] : [{ violation: NUMBERS, companyId, ...range }];
  });
}

async function advance(
  ranges: readonly Range[],
  lastMovements: ReadonlyMap<string, Partial<Progress>>,
  tx: Transaction,
): Promise<void> {
  const last = ranges.map(({ companyId }) => lastMovements.get(companyId));
  await query(
    `UPDATE audits a
     SET number = w.number,
       stock_version = w.stock_version,
       sale_id = COALESCE(w.sale_id, a.sale_id),
       adjustment_id = COALESCE(w.adjustment_id, a.adjustment_id)
     FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
       AS w (company_id, number, stock_version, sale_id, adjustment_id)
     WHERE a.company_id = w.company_id`,
    [
      ranges.map(({ companyId }) => companyId),
      ranges.map(({ upToNumber }) => upToNumber),
      ranges.map(({ upToVersion }) => upToVersion),
      last.map(row => row?.saleId ?? null),
      last.map(row => row?.adjustmentId ?? null),
    ],
    tx,
  );
}
