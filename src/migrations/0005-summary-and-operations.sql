-- The monthly figures, and the tables of the running processes. Invoices with number > watermark
-- are folded into the totals, and so are entries of the ledger with sequence > entry_sequence.
-- Both run without gaps and commit in order, so these are exactly the new ones, and the cost
-- depends on what is new, not on what exists.

-- One row per company: how far its invoices and entries are folded, and the response of
-- GET /summary for one local day.
CREATE TABLE summaries (
  company_id uuid PRIMARY KEY REFERENCES companies,
  watermark bigint NOT NULL DEFAULT 0,
  entry_sequence bigint NOT NULL DEFAULT 0,
  -- The rests of payments and credit notes, after the folded entries.
  unallocated numeric NOT NULL DEFAULT 0,
  -- companies.stock_version when body was made.
  stock_version bigint NOT NULL DEFAULT 0,
  -- The local day of body: at midnight "to the same day" and "overdue" become other figures.
  day date,
  -- The company's settings when body was made. After a change it is stale.
  currency text,
  time_zone text,
  body text,
  computed_at timestamptz,
  CONSTRAINT summaries_unallocated CHECK (unallocated BETWEEN 0 AND 1e30),
  CONSTRAINT summaries_body_whole CHECK
    (num_nonnulls(day, currency, time_zone, body, computed_at) IN (0, 5))
) WITH (toast_tuple_target = 128); -- stores bodies apart: the sweep reads every row but no body

-- A summary is never ahead of its company.
CREATE FUNCTION check_summary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM companies company
    WHERE company.id = NEW.company_id
      AND NEW.watermark < company.next_invoice_number
      AND NEW.entry_sequence < company.next_entry_sequence
      AND NEW.stock_version <= company.stock_version
  ) THEN
    PERFORM refuse('a summary is ahead of its company', NEW.company_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_summary BEFORE INSERT OR UPDATE ON summaries FOR EACH ROW
  WHEN (NEW.watermark > 0 OR NEW.entry_sequence > 0 OR NEW.stock_version > 0)
  EXECUTE FUNCTION check_summary();

-- The totals. A row exists because of an invoice or entry, so counts are above 0. BETWEEN refuses
-- NaN. They change often: the fill factor leaves room for HOT updates.

CREATE TABLE daily_totals (
  company_id uuid NOT NULL REFERENCES companies,
  date date NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  -- The part of the total that is tax.
  tax numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, date),
  CONSTRAINT daily_totals_check CHECK
    (count > 0 AND total BETWEEN 0 AND 1e30 AND tax BETWEEN 0 AND total)
) WITH (fillfactor = 70);

-- The money of entries by their own dates.
CREATE TABLE entry_totals (
  company_id uuid NOT NULL REFERENCES companies,
  date date NOT NULL,
  type text NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  -- Of credit notes.
  tax numeric NOT NULL,
  PRIMARY KEY (company_id, date, type),
  CONSTRAINT entry_totals_check CHECK (
    type IN ('payment', 'reversal', 'refund', 'creditNote')
    AND count > 0 AND total BETWEEN 0 AND 1e30 AND tax BETWEEN 0 AND total
  )
) WITH (fillfactor = 70);

-- The invoices on which something is due, and how much: the folded invoices less the folded
-- allocations. A date without any has no row, so there are as many rows as dates with open
-- invoices, and finding what is overdue reads only those.
CREATE TABLE due_totals (
  company_id uuid NOT NULL REFERENCES companies,
  -- 'infinity' for invoices without a due date.
  due_date date NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, due_date),
  CONSTRAINT due_totals_check CHECK (count > 0 AND total > 0 AND total < 1e30)
) WITH (fillfactor = 70);

CREATE TABLE customer_totals (
  company_id uuid NOT NULL REFERENCES companies,
  -- The month's first day.
  month date NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  -- The spelling on the newest invoice.
  name text NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, month, customer_key),
  CONSTRAINT customer_totals_check CHECK
    (count > 0 AND total BETWEEN 0 AND 1e30 AND extract(day FROM month) = 1)
) WITH (fillfactor = 70);

CREATE TABLE item_totals (
  company_id uuid NOT NULL REFERENCES companies,
  month date NOT NULL,
  -- As in invoice_lines.
  item_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  qty numeric NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, month, item_key),
  CONSTRAINT item_totals_check CHECK
    (qty > 0 AND qty < 1e30 AND total BETWEEN 0 AND 1e30 AND extract(day FROM month) = 1)
) WITH (fillfactor = 70);

-- The keys of the month's best customers and items, at most five each, the largest total first. An
-- index on totals would have to change with every total.
CREATE TABLE monthly_tops (
  company_id uuid NOT NULL REFERENCES companies,
  month date NOT NULL,
  customers text[] COLLATE "C" NOT NULL DEFAULT '{}',
  items text[] COLLATE "C" NOT NULL DEFAULT '{}',
  PRIMARY KEY (company_id, month)
) WITH (fillfactor = 70);

-- How far the audit has checked each company's rows. Each of these commits in order per company,
-- because it is taken under the lock of the company's row.
CREATE TABLE audits (
  company_id uuid PRIMARY KEY REFERENCES companies,
  -- The last invoice, and the stock version of the last adjustments.
  number bigint NOT NULL DEFAULT 0,
  stock_version bigint NOT NULL DEFAULT 0,
  -- The last entry of the ledger.
  entry_sequence bigint NOT NULL DEFAULT 0,
  -- The last movements of these invoices and of these adjustments.
  sale_id bigint NOT NULL DEFAULT 0,
  adjustment_id bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The jobs that the audit has checked: those that finished before then. One row.
CREATE TABLE audited_jobs (
  until timestamptz NOT NULL
) WITH (fillfactor = 50);
INSERT INTO audited_jobs VALUES (now());

-- The audit's findings, until an operator deletes the rows. One per company and invariant, so a
-- defect that concerns every write does not fill the disk.
CREATE TABLE audit_violations (
  -- Without a foreign key: the company may be what is wrong.
  company_id uuid NOT NULL,
  violation text NOT NULL,
  count bigint NOT NULL,
  -- The last one.
  offender jsonb NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, violation)
);

-- Request counts without Redis, one row per key with the end of its window in milliseconds since
-- 1970. UNLOGGED: losing the counts in a crash is better than a WAL record for each request.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
) WITH (fillfactor = 50);

-- The metrics of processes without an HTTP port, for /metrics of the web processes. UNLOGGED: they
-- are replaced every few seconds and useless after a crash.
CREATE UNLOGGED TABLE process_metrics (
  -- Type, host and process id.
  name text PRIMARY KEY,
  -- prom-client's JSON.
  figures json NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 50);
