-- The feed of each company: what has changed, in the order of the commits.

-- step: once
-- The sequence of the next event. Each write locks its company's row and changes it, so it reads
-- and advances this number at no cost, and numbers are gap-free and commit in order.
ALTER TABLE companies ADD COLUMN next_event_sequence bigint NOT NULL DEFAULT 1
  CHECK (next_event_sequence > 0);

-- step: once
CREATE TABLE feed (
  -- There is no foreign key, because it would be checked at each write. verify checks it.
  company_id uuid NOT NULL,
  last_sequence bigint NOT NULL,
  first_sequence bigint NOT NULL,
  -- By the database's clock, under the company's lock.
  created_at timestamptz NOT NULL,
  -- One per event, in order, as a JSON array: what cannot be read from append-only rows later.
  stubs text NOT NULL,
  -- A reader looks for the rows after a sequence.
  PRIMARY KEY (company_id, last_sequence),
  CONSTRAINT feed_sequences CHECK (first_sequence BETWEEN 1 AND last_sequence)
);
CREATE TRIGGER append_only BEFORE UPDATE ON feed FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON feed EXECUTE FUNCTION refuse_change();

-- The invoices whose event invoice.overdue is in the feed, or was.
CREATE TABLE overdue_invoices (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  PRIMARY KEY (company_id, invoice_id)
);

-- How far the sweep of overdue invoices has looked. A company without a row is new.
CREATE TABLE overdue_progress (
  company_id uuid PRIMARY KEY REFERENCES companies,
  -- It has looked at the due dates before this day, in the company's time zone, and at invoices and
  -- entries up to these.
  day date NOT NULL,
  invoice_number bigint NOT NULL,
  entry_sequence bigint NOT NULL,
  -- The same when the feed began. What was overdue then has no event.
  first_day date NOT NULL,
  first_invoice_number bigint NOT NULL,
  first_entry_sequence bigint NOT NULL
);

-- step: repeat
INSERT INTO overdue_progress
SELECT c.id, today.day, c.next_invoice_number - 1, c.next_entry_sequence - 1,
  today.day, c.next_invoice_number - 1, c.next_entry_sequence - 1
FROM companies c
CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE c.time_zone)::date AS day) today
WHERE NOT EXISTS (SELECT FROM overdue_progress p WHERE p.company_id = c.id)
  AND (c.next_invoice_number > 1 OR c.next_entry_sequence > 1)
LIMIT 1000;

-- step: once
-- A process of an earlier release knows no events. Once a company's feed has begun, its changes are
-- refused as if they met a lock: a job counts no failed attempt, and a worker of this release
-- settles it; a request is answered with 503 and may be repeated.
CREATE FUNCTION refuse_change_without_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An operator may repair a row by hand.
  IF current_setting('application_name') NOT LIKE 'tradepost-%' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a change without an event: this process is of an earlier release'
    USING ERRCODE = 'lock_not_available',
      HINT = 'Stop it. The processes of the present release carry out its work.';
END $$;
CREATE TRIGGER refuse_change_without_event BEFORE UPDATE OF
  next_invoice_number, next_entry_sequence, stock_version, customers_version
  ON companies FOR EACH ROW
  WHEN (
    OLD.next_event_sequence > 1
    AND NEW.next_event_sequence = OLD.next_event_sequence
    AND (
      OLD.next_invoice_number, OLD.next_entry_sequence, OLD.stock_version, OLD.customers_version
    ) IS DISTINCT FROM (
      NEW.next_invoice_number, NEW.next_entry_sequence, NEW.stock_version, NEW.customers_version
    )
  )
  EXECUTE FUNCTION refuse_change_without_event();
