// The rows that the model reads: the order in which a company's writes were committed, and what
// they left. Quantities and amounts as numbers, times in milliseconds since the epoch.

export interface ModelRows {
  readonly items: readonly ItemRow[];
  /** In the order of their ids. */
  readonly movements: readonly MovementRow[];
  readonly adjustments: readonly AdjustmentRow[];
  readonly invoices: readonly InvoiceRow[];
  /** In the order of their sequences. */
  readonly entries: readonly EntryRow[];
  readonly allocations: readonly AllocationRow[];
  readonly jobs: readonly JobRow[];
}

interface OfCompany {
  readonly companyId: string;
}

export interface ItemRow extends OfCompany {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
}

export interface MovementRow extends OfCompany {
  readonly itemId: string;
  /** The id of the invoice, adjustment or credit note. */
  readonly sourceId: string;
  readonly delta: number;
  readonly onHandAfter: number;
}

export interface AdjustmentRow extends OfCompany {
  readonly id: string;
  readonly stockVersion: number;
}

export interface InvoiceRow extends OfCompany {
  readonly id: string;
  readonly number: number;
  readonly total: number;
  readonly lines: readonly { readonly qty: number; readonly amount: number }[];
}

export interface EntryRow extends OfCompany {
  readonly id: string;
  readonly sequence: number;
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly amount: number;
  readonly sourceId: string | null;
  /** Of a credit note. */
  readonly invoiceId: string | null;
  /** 'cancelled': the credit note of a void invoice. */
  readonly reason: string | null;
  readonly externalId: string | null;
  /** The parts of a credit note. */
  readonly items:
    | readonly { readonly line: number; readonly qty: number | null; readonly amount: number }[]
    | null;
}

export interface AllocationRow extends OfCompany {
  readonly invoiceId: string;
  readonly sequence: number;
  readonly sourceId: string;
  readonly amount: number;
}

export interface JobRow extends OfCompany {
  readonly id: string;
  readonly resultId: string | null;
  /** Read by Postgres's clock in the transaction that settled the job, before its commit. */
  readonly finishedAt: number;
}

type Query = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** Reads the rows of these companies. */
export async function readModelRows(
  query: Query,
  companyIds: readonly string[],
): Promise<ModelRows> {
  const read = <Row extends object>(sql: string) => query<Row>(sql, [companyIds]);
  const ofCompanies = 'company_id = ANY($1::uuid[])';
  const [items, movements, adjustments, invoices, entries, allocations, jobs] = await Promise.all([
    read<ItemRow>(
      `SELECT company_id AS "companyId", id, name, sku FROM items WHERE ${ofCompanies}`,
    ),
    read<MovementRow>(
      `SELECT company_id AS "companyId", item_id AS "itemId", delta::float8,
         on_hand_after::float8 AS "onHandAfter",
         COALESCE(invoice_id, adjustment_id, credit_note_id) AS "sourceId"
       FROM movements
       WHERE ${ofCompanies}
       ORDER BY id`,
    ),
    read<AdjustmentRow>(
      `SELECT company_id AS "companyId", id, stock_version::float8 AS "stockVersion"
       FROM adjustments
       WHERE ${ofCompanies}`,
    ),
    read<InvoiceRow>(
      `SELECT company_id AS "companyId", id, number::float8, total::float8,
         (
           SELECT json_agg(
             json_build_object('qty', line -> 'qty', 'amount', line -> 'amount') ORDER BY position
           )
           FROM json_array_elements(body::json -> 'items') WITH ORDINALITY AS l (line, position)
         ) AS lines
       FROM invoices
       WHERE ${ofCompanies}
       ORDER BY number`,
    ),
    read<EntryRow>(
      `SELECT company_id AS "companyId", id, sequence::float8, type, amount::float8,
         source_id AS "sourceId", invoice_id AS "invoiceId", reason, external_id AS "externalId",
         CASE type WHEN 'creditNote' THEN body::json -> 'items' END AS items
       FROM entries
       WHERE ${ofCompanies}
       ORDER BY sequence`,
    ),
    read<AllocationRow>(
      `SELECT company_id AS "companyId", invoice_id AS "invoiceId", sequence::float8,
         source_id AS "sourceId", amount::float8
       FROM allocations
       WHERE ${ofCompanies}`,
    ),
    read<JobRow>(
      `SELECT company_id AS "companyId", id, result_id AS "resultId",
         (extract(epoch FROM finished_at) * 1000)::float8 AS "finishedAt"
       FROM jobs
       WHERE ${ofCompanies} AND status <> 'queued'`,
    ),
  ]);
  return { items, movements, adjustments, invoices, entries, allocations, jobs };
}

/** The rows of one company. */
export function rowsOf(companyId: string, rows: ModelRows): ModelRows {
  const own = <Row extends OfCompany>(all: readonly Row[]) =>
    all.filter(row => row.companyId === companyId);
  return {
    items: own(rows.items),
    movements: own(rows.movements),
    adjustments: own(rows.adjustments),
    invoices: own(rows.invoices),
    entries: own(rows.entries),
    allocations: own(rows.allocations),
    jobs: own(rows.jobs),
  };
}

/** A quantity in ten-thousandths, or an amount in hundredths of a cent: exact in a double. */
export const units = (quantity: number) => Math.round(quantity * 10_000);

/** The values by their key; those without one are left out. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string | null,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === null) continue;
    const group = groups.get(key) ?? [];
    group.push(value);
    groups.set(key, group);
  }
  return groups;
}
