-- Fills the effective dates of 0021 while the release before goes on writing, and corrects those
-- that differ from the definition there: a database may have some of an earlier form of 0021, which
-- dated each allocation by its own invoice. At the end, rows without an effective date are refused.

-- step: once
-- How far each company's entries are filled.
CREATE TABLE effective_date_progress (
  company_id uuid PRIMARY KEY,
  sequence bigint NOT NULL
);

-- Fills the next entries of one company, after `filled`. Changes about `rows_max` entries and
-- allocations, and at least one entry. Returns the sequence of the last entry.
--
-- An entry concerns its payment or credit note and its invoices. The dates of an entry depend on
-- those of earlier entries, so they are computed in order, with the last date of each invoice,
-- payment and credit note at its place in an array.
CREATE FUNCTION fill_effective_dates_of(company uuid, filled bigint, rows_max integer)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last_sequence bigint;
  entry record;
  place integer;
  last_dates date[];
  day date;
  ids uuid[] := '{}';
  sequences bigint[] := '{}';
  sources uuid[] := '{}';
  days date[] := '{}';
BEGIN
  PERFORM set_config('enable_hashjoin', 'on', true);
  SELECT max(costed.sequence) INTO last_sequence
  FROM (
    SELECT e.sequence,
      row_number() OVER (ORDER BY e.sequence) AS position,
      sum(1 + (
        SELECT count(*)
        FROM allocations a
        WHERE a.company_id = company AND a.source_id = COALESCE(e.source_id, e.id)
          AND a.sequence = e.sequence
      )) OVER (ORDER BY e.sequence) AS cost
    FROM (
      SELECT t.id, t.source_id, t.sequence
      FROM entries t
      WHERE t.company_id = company AND t.sequence > filled
      ORDER BY t.sequence
      LIMIT rows_max
    ) e
  ) costed
  WHERE costed.cost <= rows_max OR costed.position = 1;

  FOR entry IN
    WITH filling AS MATERIALIZED (
      SELECT e.id, e.sequence, e.date, COALESCE(e.source_id, e.id) AS source_id, e.invoice_id
      FROM entries e
      WHERE e.company_id = company AND e.sequence > filled AND e.sequence <= last_sequence
    ), concerned AS MATERIALIZED (
      SELECT f.sequence, f.source_id AS id
      FROM filling f
      UNION ALL
      SELECT f.sequence, f.invoice_id
      FROM filling f
      WHERE f.invoice_id IS NOT NULL
      UNION ALL
      SELECT f.sequence, a.invoice_id
      FROM filling f,
        LATERAL (
          SELECT t.invoice_id
          FROM allocations t
          WHERE t.company_id = company AND t.source_id = f.source_id AND t.sequence = f.sequence
          OFFSET 0
        ) a
    ), placed AS MATERIALIZED (
      SELECT c.id, row_number() OVER () AS place, count(*) OVER () AS places
      FROM (SELECT DISTINCT id FROM concerned) c
    ), dated AS MATERIALIZED (
      -- The last date before these entries. An id is that of an invoice or that of an entry.
      SELECT p.id, p.place, p.places,
        GREATEST(
          (SELECT i.date FROM invoices i WHERE i.company_id = company AND i.id = p.id),
          (
            SELECT a.effective_date
            FROM allocations a
            WHERE a.company_id = company AND a.invoice_id = p.id AND a.sequence <= filled
            ORDER BY a.sequence DESC
            LIMIT 1
          ),
          (
            SELECT e.effective_date
            FROM entries e
            WHERE e.company_id = company AND e.invoice_id = p.id AND e.sequence <= filled
            ORDER BY e.sequence DESC
            LIMIT 1
          ),
          (
            SELECT CASE WHEN e.sequence <= filled THEN e.effective_date ELSE e.date END
            FROM entries e
            WHERE e.company_id = company AND e.id = p.id
          ),
          (
            SELECT e.effective_date
            FROM entries e
            WHERE e.company_id = company AND e.source_id = p.id AND e.sequence <= filled
            ORDER BY e.sequence DESC
            LIMIT 1
          )) AS last_date
      FROM placed p
    )
    SELECT f.id, f.sequence, f.source_id, f.date,
      max(d.last_date) AS earliest,
      max(d.places) AS places,
      array_agg(d.place) AS concerns
    FROM filling f
    JOIN concerned c ON c.sequence = f.sequence
    JOIN dated d ON d.id = c.id
    GROUP BY 1, 2, 3, 4
    ORDER BY f.sequence
  LOOP
    IF last_dates IS NULL THEN
      last_dates := array_fill(NULL::date, ARRAY[entry.places::integer]);
    END IF;
    day := GREATEST(entry.date, entry.earliest);
    FOREACH place IN ARRAY entry.concerns LOOP
      day := GREATEST(day, last_dates[place]);
    END LOOP;
    FOREACH place IN ARRAY entry.concerns LOOP
      last_dates[place] := day;
    END LOOP;
    ids := ids || entry.id;
    sequences := sequences || entry.sequence;
    sources := sources || entry.source_id;
    days := days || day;
  END LOOP;

  PERFORM set_config('enable_hashjoin', 'off', true);
  UPDATE entries e
  SET effective_date = f.day
  FROM unnest(ids, days) AS f (id, day)
  WHERE e.company_id = company AND e.id = f.id AND e.effective_date IS DISTINCT FROM f.day;

  UPDATE allocations a
  SET effective_date = f.day,
    source_date = source.date,
    invoice_number = i.number,
    invoice_date = i.date,
    due_date = i.due_date,
    customer_key = i.customer_key
  FROM unnest(sequences, sources, days) AS f (sequence, source_id, day),
    entries source,
    invoices i
  WHERE a.company_id = company AND a.source_id = f.source_id AND a.sequence = f.sequence
    AND a.effective_date IS DISTINCT FROM f.day
    AND source.company_id = company AND source.id = f.source_id
    AND i.company_id = company AND i.id = a.invoice_id;
  RETURN last_sequence;
END $$;

-- Fills about `rows_max` rows, of as many companies as it takes. Returns the companies. It looks
-- rows up, whatever the planner believes about tables that have just been filled or restored.
CREATE FUNCTION fill_effective_dates(rows_max integer) RETURNS SETOF uuid LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_mergejoin = off SET enable_hashjoin = off SET jit = off
AS $$
DECLARE
  company record;
  done bigint;
  rows_left integer := rows_max;
BEGIN
  FOR company IN
    SELECT c.id, COALESCE(p.sequence, 0) AS filled, c.next_entry_sequence - 1 AS last_sequence
    FROM companies c
    LEFT JOIN effective_date_progress p ON p.company_id = c.id
    WHERE c.next_entry_sequence - 1 > COALESCE(p.sequence, 0)
    ORDER BY c.id
    LIMIT rows_max
  LOOP
    -- NULL if entries are missing, which verify reports.
    done := COALESCE(
      fill_effective_dates_of(company.id, company.filled, rows_left),
      company.last_sequence);
    INSERT INTO effective_date_progress VALUES (company.id, done)
      ON CONFLICT (company_id) DO UPDATE SET sequence = EXCLUDED.sequence;
    RETURN NEXT company.id;
    rows_left := rows_left - (done - company.filled);
    EXIT WHEN rows_left <= 0;
  END LOOP;
END $$;

-- step: once
-- Until the last steps, the columns of 0021 may change, and nothing else that may not. Here those
-- of entries.
DROP TRIGGER append_only_update ON entries;
CREATE TRIGGER append_only_update BEFORE UPDATE ON entries FOR EACH ROW
  WHEN (
    (OLD.source_id IS NOT NULL OR OLD.reversed) AND (
      OLD.refunded, OLD.unallocated, OLD.reversed, OLD.body, OLD.first_body
    ) IS DISTINCT FROM (
      NEW.refunded, NEW.unallocated, NEW.reversed, NEW.body, NEW.first_body
    )
    OR OLD.first_body IS NOT NULL AND NEW.first_body IS DISTINCT FROM OLD.first_body
    OR (
      OLD.company_id, OLD.id, OLD.submission_id, OLD.sequence, OLD.type, OLD.date, OLD.currency,
      OLD.customer_name, OLD.customer_key, OLD.amount, OLD.source_id,
      OLD.invoice_id, OLD.number, OLD.number_prefix, OLD.subtotal, OLD.tax_total,
      OLD.method, OLD.reference, OLD.external_id, OLD.note, OLD.reason, OLD.explanation,
      OLD.created_at, OLD.created_by::text, OLD.credited_lines::text
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.sequence, NEW.type, NEW.date, NEW.currency,
      NEW.customer_name, NEW.customer_key, NEW.amount, NEW.source_id,
      NEW.invoice_id, NEW.number, NEW.number_prefix, NEW.subtotal, NEW.tax_total,
      NEW.method, NEW.reference, NEW.external_id, NEW.note, NEW.reason, NEW.explanation,
      NEW.created_at, NEW.created_by::text, NEW.credited_lines::text
    )
  )
  EXECUTE FUNCTION refuse_change();

-- step: once
DROP TRIGGER append_only ON allocations;
CREATE TRIGGER append_only BEFORE DELETE ON allocations FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON allocations FOR EACH ROW
  WHEN (
    (OLD.company_id, OLD.invoice_id, OLD.sequence, OLD.source_id, OLD.amount)
    IS DISTINCT FROM
    (NEW.company_id, NEW.invoice_id, NEW.sequence, NEW.source_id, NEW.amount)
  )
  EXECUTE FUNCTION refuse_change();

-- step: repeat
SELECT fill_effective_dates(1000);

-- step: once
-- A process of an earlier release does not know effective dates, and a trigger that sees one row at
-- a time cannot compute them: they depend on all allocations of the entry. So its entries are
-- refused as if they met a lock. It counts no failed attempt, and a worker of this release settles
-- the job.
CREATE FUNCTION refuse_undated_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an entry without an effective date: this process is of an earlier release'
    USING ERRCODE = 'lock_not_available',
      HINT = 'Stop it. A worker of the present release settles its jobs.';
END $$;
DROP TRIGGER IF EXISTS set_effective_date ON entries;
CREATE TRIGGER refuse_undated_entry BEFORE INSERT ON entries FOR EACH ROW
  WHEN (NEW.effective_date IS NULL)
  EXECUTE FUNCTION refuse_undated_entry();

-- step: once
-- Of an earlier form of 0021.
DROP TRIGGER IF EXISTS set_allocation_dates ON allocations;
DROP FUNCTION IF EXISTS set_effective_date();
DROP FUNCTION IF EXISTS set_allocation_dates();
DROP FUNCTION IF EXISTS last_date_of_paid(uuid, uuid);
DROP FUNCTION IF EXISTS last_date_of_source(uuid, uuid);
DROP FUNCTION IF EXISTS last_date_of_invoice(uuid, uuid);

-- step: repeat
-- The entries that an earlier release has written since the fill passed their company.
SELECT fill_effective_dates(1000);

-- step: once
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = 'entries'::regclass AND attname = 'effective_date' AND NOT attnotnull
  ) THEN
    ALTER TABLE entries ADD CONSTRAINT entries_dated CHECK (effective_date IS NOT NULL) NOT VALID;
  END IF;
END $$;

-- step: once
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'entries_dated') THEN
    ALTER TABLE entries VALIDATE CONSTRAINT entries_dated;
  END IF;
END $$;

-- step: once
ALTER TABLE entries ALTER COLUMN effective_date SET NOT NULL;
ALTER TABLE entries DROP CONSTRAINT IF EXISTS entries_dated;
-- As in 0010, with the new column.
DROP TRIGGER append_only_update ON entries;
CREATE TRIGGER append_only_update BEFORE UPDATE ON entries FOR EACH ROW
  WHEN (
    OLD.source_id IS NOT NULL
    OR OLD.reversed
    OR OLD.first_body IS NOT NULL AND NEW.first_body IS DISTINCT FROM OLD.first_body
    OR (
      OLD.company_id, OLD.id, OLD.submission_id, OLD.sequence, OLD.type, OLD.date, OLD.currency,
      OLD.customer_name, OLD.customer_key, OLD.amount, OLD.source_id,
      OLD.invoice_id, OLD.number, OLD.number_prefix, OLD.subtotal, OLD.tax_total,
      OLD.method, OLD.reference, OLD.external_id, OLD.note, OLD.reason, OLD.explanation,
      OLD.created_at, OLD.created_by::text, OLD.credited_lines::text, OLD.effective_date
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.sequence, NEW.type, NEW.date, NEW.currency,
      NEW.customer_name, NEW.customer_key, NEW.amount, NEW.source_id,
      NEW.invoice_id, NEW.number, NEW.number_prefix, NEW.subtotal, NEW.tax_total,
      NEW.method, NEW.reference, NEW.external_id, NEW.note, NEW.reason, NEW.explanation,
      NEW.created_at, NEW.created_by::text, NEW.credited_lines::text, NEW.effective_date
    )
  )
  EXECUTE FUNCTION refuse_change();

-- step: once
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = 'allocations'::regclass AND attname = 'effective_date' AND NOT attnotnull
  ) THEN
    ALTER TABLE allocations ADD CONSTRAINT allocations_dated CHECK (
      effective_date IS NOT NULL AND source_date IS NOT NULL AND invoice_number IS NOT NULL
      AND invoice_date IS NOT NULL AND customer_key IS NOT NULL
    ) NOT VALID;
  END IF;
END $$;

-- step: once
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'allocations_dated') THEN
    ALTER TABLE allocations VALIDATE CONSTRAINT allocations_dated;
  END IF;
END $$;

-- step: once
ALTER TABLE allocations
  ALTER COLUMN effective_date SET NOT NULL,
  ALTER COLUMN source_date SET NOT NULL,
  ALTER COLUMN invoice_number SET NOT NULL,
  ALTER COLUMN invoice_date SET NOT NULL,
  ALTER COLUMN customer_key SET NOT NULL;
ALTER TABLE allocations DROP CONSTRAINT IF EXISTS allocations_dated;
-- As in 0006.
DROP TRIGGER append_only ON allocations;
DROP TRIGGER append_only_update ON allocations;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON allocations FOR EACH ROW
  EXECUTE FUNCTION refuse_change();

-- step: concurrently
-- The allocations of a customer, or of all, after a day.
CREATE INDEX CONCURRENTLY IF NOT EXISTS allocations_effective
  ON allocations (company_id, customer_key, effective_date);
-- The same of reversals and refunds, which a statement lists by these dates.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_effective
  ON entries (company_id, customer_key, effective_date, sequence)
  WHERE type IN ('reversal', 'refund');

-- step: once
DROP FUNCTION fill_effective_dates(integer);
DROP FUNCTION fill_effective_dates_of(uuid, bigint, integer);
DROP TABLE effective_date_progress;
