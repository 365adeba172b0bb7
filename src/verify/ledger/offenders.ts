// SQL whose rows are the entries, allocations and settlements that violate an invariant.
import { BACKWARD_DATES, COPIES, LATE_DATES } from './dates.js';
import { type Offenders, TABLES } from './tables.js';

const SETTLEMENTS: Offenders = ({ invoices, ofInvoices, entries }) => `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.status,
    i.paid, COALESCE(given.paid, 0) AS "sumOfPayments",
    i.credited, COALESCE(given.credited, 0) AS "sumOfCreditNotes"
  FROM ${invoices} i
  LEFT JOIN (
    SELECT a.company_id, a.invoice_id,
      sum(a.amount) FILTER (WHERE e.type = 'payment') AS paid,
      sum(a.amount) FILTER (WHERE e.type = 'creditNote') AS credited
    FROM ${ofInvoices} a
    LEFT JOIN ${entries} e ON e.company_id = a.company_id AND e.id = a.source_id
    GROUP BY a.company_id, a.invoice_id
  ) given ON given.company_id = i.company_id AND given.invoice_id = i.id
  WHERE (i.paid, i.credited) <> (COALESCE(given.paid, 0), COALESCE(given.credited, 0))`;

const STATUSES: Offenders = ({ invoices }) => `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId", i.status, i.total, i.paid, i.credited,
    i.settled_on::text AS "settledOn"
  FROM ${invoices} i
  WHERE i.paid < 0 OR i.credited < 0 OR i.paid + i.credited > i.total
    OR (i.status = 'paid') <> (i.settled_on IS NOT NULL)
    OR CASE i.status
      WHEN 'void' THEN i.paid <> 0 OR i.credited <> i.total
      ELSE i.status <> CASE WHEN i.total > 0 AND i.paid + i.credited = i.total
        THEN 'paid' ELSE 'open' END
    END`;

const USAGES: Offenders = ({ funds, ofFunds, entries }) => `
  SELECT e.company_id AS "companyId", e.id AS "entryId", e.amount,
    COALESCE(given.amount, 0) AS allocated, e.refunded,
    COALESCE(refund.amount, 0) AS "sumOfRefunds", e.unallocated, e.reversed
  FROM ${funds} e
  LEFT JOIN (
    SELECT company_id, source_id, sum(amount) AS amount
    FROM ${ofFunds} a
    GROUP BY company_id, source_id
  ) given ON given.company_id = e.company_id AND given.source_id = e.id
  LEFT JOIN (
    SELECT company_id, source_id,
      sum(amount) FILTER (WHERE type = 'refund') AS amount,
      count(*) FILTER (WHERE type = 'reversal') AS reversals
    FROM ${entries} e
    WHERE source_id IS NOT NULL
    GROUP BY company_id, source_id
  ) refund ON refund.company_id = e.company_id AND refund.source_id = e.id
  WHERE e.refunded <> COALESCE(refund.amount, 0)
    OR e.unallocated < 0
    OR COALESCE(refund.reversals, 0) <> CASE WHEN e.reversed THEN 1 ELSE 0 END
    OR COALESCE(given.amount, 0) + e.refunded + e.unallocated
      <> CASE WHEN e.reversed THEN 0 ELSE e.amount END`;

const RETURNS: Offenders = ({ lines, movements }) => `
  SELECT company_id AS "companyId", credit_note_id AS "creditNoteId", item_id AS "itemId",
    sum(restocked) AS restocked, sum(moved) AS "ofMovements"
  FROM (
    SELECT company_id, credit_note_id, item_id, qty AS restocked, 0 AS moved
    FROM ${lines} l
    WHERE restocked
    UNION ALL
    SELECT company_id, credit_note_id, item_id, 0, delta
    FROM ${movements} m
    WHERE credit_note_id IS NOT NULL
  ) returned
  GROUP BY company_id, credit_note_id, item_id
  HAVING sum(restocked) <> sum(moved)`;

/** An entry's parents: its payment or credit note, its invoice, and its allocations' invoices. */
const PARENTS: Offenders = ({ funds, invoices, entries, ofFunds }) => `
  SELECT e.company_id AS "companyId", e.id AS "entryId", 'source' AS what
  FROM ${entries} e
  LEFT JOIN ${funds} s ON s.company_id = e.company_id AND s.id = e.source_id
  WHERE e.source_id IS NOT NULL
    AND (s.id IS NULL OR s.customer_key <> e.customer_key
      OR e.type = 'reversal' AND s.type <> 'payment')
  UNION ALL
  SELECT e.company_id, e.id, 'invoice'
  FROM ${funds} e
  LEFT JOIN ${invoices} i ON i.company_id = e.company_id AND i.id = e.invoice_id
  WHERE e.type = 'creditNote'
    AND (i.id IS NULL OR i.customer_key <> e.customer_key OR e.date < i.date)
  UNION ALL
  SELECT a.company_id, a.source_id, 'allocation'
  FROM ${ofFunds} a
  LEFT JOIN ${funds} s ON s.company_id = a.company_id AND s.id = a.source_id
  LEFT JOIN ${invoices} i ON i.company_id = a.company_id AND i.id = a.invoice_id
  LEFT JOIN ${entries} e ON e.company_id = a.company_id AND e.sequence = a.sequence
  WHERE COALESCE(e.source_id, e.id) IS DISTINCT FROM a.source_id
    OR i.customer_key IS DISTINCT FROM s.customer_key
      AND ${ownerOf('i')} IS DISTINCT FROM ${ownerOf('s')}`;

/** The record that has the row's name, or else the name: an allocation stays with one customer. */
function ownerOf(alias: string): string {
  return `COALESCE(
      (
        SELECT n.customer_id::text
        FROM customer_names n
        WHERE n.company_id = ${alias}.company_id AND n.name_key = ${alias}.customer_key
      ),
      ${alias}.customer_key
    )`;
}

const SEQUENCES = `
  SELECT c.id AS "companyId",
    c.next_entry_sequence - 1 AS counter, count(e.sequence) AS entries,
    c.next_credit_note_number - 1 AS "lastNumber", count(e.number) AS "creditNotes"
  FROM companies c
  LEFT JOIN entries e ON e.company_id = c.id
  GROUP BY c.id
  HAVING (count(DISTINCT e.sequence), COALESCE(max(e.sequence), 0))
      <> (c.next_entry_sequence - 1, c.next_entry_sequence - 1)
    OR (count(DISTINCT e.number), COALESCE(max(e.number), 0))
      <> (c.next_credit_note_number - 1, c.next_credit_note_number - 1)
    OR count(e.sequence) <> count(DISTINCT e.sequence)
    OR count(e.number) <> count(DISTINCT e.number)`;

/** The invariant of both number series. The audit checks it when it counts the new entries. */
export const SERIES = 'entries and credit notes are numbered from 1 without a gap';

/** The SQL of each invariant, by the sentence that names it. */
export const LEDGER_OFFENDERS: Readonly<Record<string, Offenders>> = {
  'paid and credited are the sums of the allocations': SETTLEMENTS,
  "an invoice's status follows from what is paid and credited": STATUSES,
  'a payment or credit note is allocated, refunded and unallocated in whole': USAGES,
  'goods come back as the credit notes say': RETURNS,
  'an entry belongs to a payment, credit note or invoice of its customer': PARENTS,
  'effective dates never go back along an invoice, payment or credit note': BACKWARD_DATES,
  'an allocation has the dates and the customer of its invoice': COPIES,
};

export const LEDGER_CHECKS = [
  ...Object.entries(LEDGER_OFFENDERS).map(([name, offenders]) => ({
    name,
    sql: offenders(TABLES),
  })),
  {
    name: 'an effective date is the latest of its own date and those that it follows',
    sql: LATE_DATES(TABLES),
  },
  { name: SERIES, sql: SEQUENCES },
];
