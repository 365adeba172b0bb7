// An invoice's row with its JSON, for what reads issued invoices again: the summary's rollup,
// verify and the audit.

export interface StoredInvoice {
  readonly companyId: string;
  readonly companyCurrency: string;
  readonly id: string;
  readonly submissionId: string;
  readonly number: string;
  readonly numberPrefix: string;
  readonly status: string;
  readonly customerName: string;
  readonly customerKey: string;
  readonly date: string;
  readonly currency: string;
  readonly total: string;
  readonly reference: string | null;
  readonly dueDate: string | null;
  readonly paid: string;
  readonly credited: string;
  readonly settledOn: string | null;
  readonly createdAt: Date;
  readonly body: string;
  /** The match keys of lines without an item; null if there are none. */
  readonly nameKeys: readonly (string | null)[] | null;
}

/** The columns of a StoredInvoice. `i` is the invoice with its company's currency. */
export const STORED_INVOICE = `
  i.company_id AS "companyId", trim(i.company_currency) AS "companyCurrency",
  i.id, i.submission_id AS "submissionId",
  i.number, i.number_prefix AS "numberPrefix", i.status,
  i.customer_name AS "customerName", i.customer_key AS "customerKey", i.date::text AS date,
  trim(i.currency) AS currency, i.total, i.reference,
  i.due_date::text AS "dueDate",
  i.paid, i.credited, i.settled_on::text AS "settledOn",
  i.created_at AS "createdAt", i.body, i.name_keys AS "nameKeys"`;
