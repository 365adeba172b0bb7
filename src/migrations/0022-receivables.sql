-- The money that customers owe, for statements and ageing: one narrow row per invoice with money
-- due. Only companies that have read a statement or receivables have rows, so other companies pay
-- nothing.

-- How far each company's invoices and entries are folded into invoice_dues. Like tax_progress, but
-- a company has a row only once it has read these figures.
CREATE TABLE receivable_progress (
  company_id uuid PRIMARY KEY REFERENCES companies,
  -- The last invoice. NULL while the first read adds the rows of all open invoices.
  watermark bigint,
  -- The last entry of the ledger.
  entry_sequence bigint,
  CONSTRAINT receivable_progress_whole CHECK (num_nonnulls(watermark, entry_sequence) IN (0, 2))
) WITH (fillfactor = 50);

-- The folded invoices on which something is due after the folded entries. The key has all columns
-- of the invoice that a statement sorts by or an ageing adds up, so neither reads the invoice.
CREATE TABLE invoice_dues (
  company_id uuid NOT NULL REFERENCES companies,
  customer_key text COLLATE "C" NOT NULL,
  -- 'infinity' for invoices without a due date.
  due_date date NOT NULL,
  date date NOT NULL,
  number bigint NOT NULL,
  -- BETWEEN would accept 0, and such a row is deleted.
  due numeric NOT NULL CHECK (due > 0 AND due < 1e30),
  PRIMARY KEY (company_id, customer_key, due_date, date, number)
) WITH (fillfactor = 90); -- a part payment updates a row: room for HOT updates

-- step: concurrently
-- Payments and credit notes with unallocated money, by customer. An entry is wide, and the index
-- has all columns that are added up.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_rest
  ON entries (company_id, customer_key, date) INCLUDE (id, unallocated)
  WHERE unallocated > 0;

-- step: repeat
-- The summary gains `receivables`: the stored bodies are without it, so the next sweep or read
-- computes them again.
UPDATE summaries s
SET day = NULL, currency = NULL, time_zone = NULL, body = NULL, computed_at = NULL
WHERE s.company_id IN (
  SELECT company_id
  FROM summaries
  WHERE body IS NOT NULL
    AND computed_at < (SELECT applied_at FROM migrations WHERE name = '0022-receivables.sql#2')
  LIMIT 1000
);
