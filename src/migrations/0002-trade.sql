-- What the product is for: jobs, stock, invoices. Money and quantities are numeric(15,4); CHECK ... BETWEEN keeps out
-- NaN, which a plain "> 0" lets through. Names compare by code point ("C"), whatever the server's locale.

-- The durable record of a queued write. A row is either queued (its payload waits here for a worker) or settled, once:
-- that one row is why a write delivered twice happens once.
CREATE TABLE jobs (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('invoice.create', 'inventory.adjust')),
  status text NOT NULL CHECK (status IN ('queued', 'succeeded', 'failed')),
  -- SHA-256 of path and canonical body: the same Idempotency-Key with another one is refused.
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  -- Which request's submission this is; a settled job answers every other one as a replay.
  submission_id uuid NOT NULL,
  request_id text NOT NULL,
  -- Kept while a worker may still need it.
  payload json,
  attempts smallint NOT NULL DEFAULT 0,
  -- From when on the recovery poll may take a queued row.
  run_at timestamptz,
  result_id uuid,
  -- The problem document (without requestId) of a failed job.
  error json,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK ((status = 'queued') = (run_at IS NOT NULL)),
  CHECK ((status = 'succeeded') = (result_id IS NOT NULL)),
  CHECK ((status = 'failed') = (error IS NOT NULL)),
  CHECK (status <> 'queued' OR payload IS NOT NULL)
);
-- The recovery poll, and the age of the oldest queued job.
CREATE INDEX jobs_queued ON jobs (run_at) WHERE status = 'queued';
-- Retention.
CREATE INDEX jobs_finished_at ON jobs (finished_at);

CREATE TABLE items (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  sku text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  -- text.matchKey(name): what invoice lines match.
  name_key text COLLATE "C" NOT NULL,
  unit text,
  -- The sum of the item's movements, kept by the transaction that writes the movement.
  on_hand numeric(15,4) NOT NULL DEFAULT 0 CHECK (on_hand BETWEEN -99999999999.9999 AND 99999999999.9999),
  reorder_point numeric(15,4) NOT NULL DEFAULT 0 CHECK (reorder_point BETWEEN 0 AND 99999999999.9999),
  unit_cost numeric(15,4) CHECK (unit_cost BETWEEN 0 AND 999999999.9999),
  unit_price numeric(15,4) CHECK (unit_price BETWEEN 0 AND 999999999.9999),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A column and not an index predicate on on_hand: with that, no change of stock could be a HOT update.
  low boolean GENERATED ALWAYS AS (on_hand <= reorder_point) STORED NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT items_name_unique UNIQUE (company_id, name_key),
  CONSTRAINT items_sku_unique UNIQUE (company_id, sku)
) WITH (fillfactor = 80); -- on_hand changes often and is in no index: room for HOT updates
-- The inventory list's order and its cursor.
CREATE INDEX items_list ON items (company_id, name, id);
-- Low stock, whatever the number of items; rows come and go only as they cross the reorder point.
CREATE INDEX items_low ON items (company_id, name, id) WHERE low;

CREATE TABLE adjustments (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN
    ('received', 'returned', 'count', 'correction', 'damaged', 'lost', 'theft', 'transfer', 'other')),
  reference text,
  note text,
  -- The answer's movements as JSON text, rendered once: what is posted never changes.
  movements json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  -- One submission, one adjustment: the second wall behind the jobs row. Not the job's id, which an Idempotency-Key that
  -- is used again after its 30 days brings back.
  CONSTRAINT adjustments_submission_unique UNIQUE (company_id, submission_id)
);

CREATE TABLE invoices (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  number bigint NOT NULL CHECK (number > 0),
  number_prefix text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status = 'open'),
  customer_name text NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  date date NOT NULL CHECK (date BETWEEN '1900-01-01' AND '2100-12-31'),
  currency char(3) NOT NULL,
  total numeric(15,4) NOT NULL CHECK (total BETWEEN 0 AND 99999999999.99),
  reference text COLLATE "C",
  -- The lines as JSON text, rendered once at posting: an issued invoice's lines never change and reading is a copy.
  lines json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_number_unique UNIQUE (company_id, number),
  CONSTRAINT invoices_submission_unique UNIQUE (company_id, submission_id)
);
-- The list's total order: date, then creation (numbers are in order of creation).
CREATE INDEX invoices_list ON invoices (company_id, date DESC, number DESC);
-- The filters of the list, in the list's order.
CREATE INDEX invoices_customer ON invoices (company_id, customer_key, date DESC, number DESC);
CREATE INDEX invoices_reference ON invoices (company_id, reference, date DESC, number DESC) WHERE reference IS NOT NULL;

CREATE TABLE invoice_lines (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- 1 for the first line.
  position smallint NOT NULL CHECK (position BETWEEN 1 AND 250),
  -- NULL: a line that moves no stock.
  item_id uuid,
  -- What the line counts towards in the monthly figures: the item's id, or "name:" and text.matchKey(name).
  item_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  sku text,
  qty numeric(15,4) NOT NULL CHECK (qty BETWEEN 0.0001 AND 1000000),
  price numeric(15,4) NOT NULL CHECK (price BETWEEN 0 AND 999999999.9999),
  -- qty × price, rounded half up to the currency's minor unit.
  amount numeric(15,4) NOT NULL CHECK (amount BETWEEN 0 AND 99999999999.99),
  PRIMARY KEY (company_id, invoice_id, position),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, item_id) REFERENCES items (company_id, id)
);

-- Every change of stock, in order. Append-only.
CREATE TABLE movements (
  company_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  item_id uuid NOT NULL,
  delta numeric(15,4) NOT NULL CHECK (delta BETWEEN -99999999999.9999 AND 99999999999.9999),
  on_hand_after numeric(15,4) NOT NULL CHECK (on_hand_after BETWEEN -99999999999.9999 AND 99999999999.9999),
  -- 'sale', or the adjustment's reason.
  kind text NOT NULL,
  invoice_id uuid,
  adjustment_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  CHECK (num_nonnulls(invoice_id, adjustment_id) = 1),
  CHECK ((kind = 'sale') = (invoice_id IS NOT NULL)),
  FOREIGN KEY (company_id, item_id) REFERENCES items (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, adjustment_id) REFERENCES adjustments (company_id, id)
);
-- An item's history, newest last.
CREATE INDEX movements_item ON movements (company_id, item_id, id);
-- What an invoice took out of stock.
CREATE INDEX movements_invoice ON movements (company_id, invoice_id) WHERE invoice_id IS NOT NULL;

-- What is issued stays as it was issued. Corrections are new records.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: it is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON movements FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON adjustments FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_delete BEFORE DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_update BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.company_id, OLD.id, OLD.submission_id, OLD.number, OLD.number_prefix, OLD.date, OLD.currency, OLD.total, OLD.lines::text)
    IS DISTINCT FROM (NEW.company_id, NEW.id, NEW.submission_id, NEW.number, NEW.number_prefix, NEW.date, NEW.currency, NEW.total, NEW.lines::text))
  EXECUTE FUNCTION refuse_change();
