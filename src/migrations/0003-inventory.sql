-- Items, their movements and adjustments, and imports from CSV files. Money and quantities are
-- numeric(15,4). CHECK … BETWEEN refuses NaN, which a plain "> 0" accepts. Names compare by code
-- point ("C"), whatever the server's locale.
--
-- The database refuses what costs an insert next to nothing to check: keys, CHECKs of one row, and
-- changes of append-only rows. Checks that read other rows (balances, references, sums) would cost
-- a third of a batch's time. The audit makes them seconds later, and `npm run verify` over all.

CREATE TABLE items (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  sku text COLLATE "C",
  -- text.matchKey(sku), for searches. Lines and entries match the SKU itself.
  sku_key text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  -- text.matchKey(name). Lines and entries are matched through item_keys.
  name_key text COLLATE "C" NOT NULL,
  unit text,
  -- The sum of the item's movements, updated by the transaction that writes the movement.
  on_hand numeric(15,4) NOT NULL DEFAULT 0
    CHECK (on_hand BETWEEN -99999999999.9999 AND 99999999999.9999),
  reorder_point numeric(15,4) NOT NULL DEFAULT 0
    CHECK (reorder_point BETWEEN 0 AND 99999999999.9999),
  unit_cost numeric(15,4) CHECK (unit_cost BETWEEN 0 AND 999999999.9999),
  unit_price numeric(15,4) CHECK (unit_price BETWEEN 0 AND 999999999.9999),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- A column, because with on_hand in an index's predicate no change of stock could be a HOT
  -- update.
  low boolean GENERATED ALWAYS AS (on_hand <= reorder_point) STORED NOT NULL,
  -- Out of use: matched by no line or entry, in no list but that of archived items, in no figure.
  archived boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  CONSTRAINT items_text_check CHECK (name <> '' AND name_key <> '' AND sku <> ''),
  CONSTRAINT items_archived_empty CHECK (NOT archived OR on_hand = 0)
) WITH (fillfactor = 80); -- on_hand changes often and is in no index: room for HOT updates
-- Other items may have the name and SKU of an archived one.
CREATE UNIQUE INDEX items_name_unique ON items (company_id, name_key) WHERE NOT archived;
CREATE UNIQUE INDEX items_sku_unique ON items (company_id, sku) WHERE NOT archived;
-- The order and the cursor of the inventory list and of the list of archived items.
CREATE INDEX items_list ON items (company_id, name, id) WHERE NOT archived;
CREATE INDEX items_archived ON items (company_id, name, id) WHERE archived;
-- Low stock, for any number of items. Its rows change only when an item crosses its reorder point.
CREATE INDEX items_low ON items (company_id, name, id) WHERE low AND NOT archived;

-- The names that lines and entries are matched by: an item's name, and its former names until
-- another item takes them. Rows of their own, so that a batch that waits for a rename still finds
-- the item, and one look-up serves both.
CREATE TABLE item_keys (
  company_id uuid NOT NULL,
  item_id uuid NOT NULL,
  -- text.matchKey of the name.
  name_key text COLLATE "C" NOT NULL CHECK (name_key <> ''),
  -- That of the item. Its names come back when it is restored, unless they are taken.
  archived boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, item_id, name_key),
  FOREIGN KEY (company_id, item_id) REFERENCES items (company_id, id)
);
-- Covers the look-up of a name.
CREATE UNIQUE INDEX item_keys_match ON item_keys (company_id, name_key) INCLUDE (item_id)
  WHERE NOT archived;

CREATE TABLE adjustments (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN (
    'received', 'returned', 'count', 'correction', 'damaged', 'lost', 'theft', 'transfer', 'other'
  )),
  reference text,
  note text,
  -- The response's movements as JSON text. Rendered once, since a posted adjustment never changes.
  movements json NOT NULL,
  -- The company's stock version of its transaction. Versions commit in order, so the audit finds
  -- the new ones above the last that it has checked.
  stock_version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  -- The person or API key behind it: {"kind","id","name"}, with the name at that time. NULL:
  -- unknown.
  created_by json,
  PRIMARY KEY (company_id, id),
  -- One submission makes one adjustment, even without the jobs row. Not the job's id, which an
  -- Idempotency-Key that is used again after its 30 days repeats.
  CONSTRAINT adjustments_submission_unique UNIQUE (company_id, submission_id)
);
CREATE INDEX adjustments_version ON adjustments (company_id, stock_version);

-- Every change of stock, in order. Append-only. Without foreign keys: the writer has locked the
-- item and writes the source, so they would look up both again.
CREATE TABLE movements (
  company_id uuid NOT NULL,
  item_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  delta numeric(15,4) NOT NULL
    CHECK (delta BETWEEN -99999999999.9999 AND 99999999999.9999),
  on_hand_after numeric(15,4) NOT NULL
    CHECK (on_hand_after BETWEEN -99999999999.9999 AND 99999999999.9999),
  -- 'sale', 'return', or the adjustment's reason.
  kind text NOT NULL,
  -- The source: one of the three.
  invoice_id uuid,
  adjustment_id uuid,
  credit_note_id uuid,
  created_at timestamptz NOT NULL,
  -- In the order of an item's history. An invoice's movements are found through the items of its
  -- lines.
  PRIMARY KEY (company_id, item_id, id),
  CHECK (num_nonnulls(invoice_id, adjustment_id, credit_note_id) = 1),
  CHECK ((kind = 'sale') = (invoice_id IS NOT NULL)),
  CHECK ((kind = 'return') = (credit_note_id IS NOT NULL)),
  CONSTRAINT movements_sale_takes CHECK (kind <> 'sale' OR delta < 0),
  CONSTRAINT movements_return_adds CHECK (kind <> 'return' OR delta > 0)
);

-- The goods that came back with a credit note. No sale has an entry in it.
CREATE INDEX movements_returns ON movements (company_id, credit_note_id)
  WHERE credit_note_id IS NOT NULL;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON movements FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON adjustments FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON movements EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON adjustments EXECUTE FUNCTION refuse_change();

CREATE FUNCTION refuse_stock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN refuse('a new item has nothing on hand until a movement brings it', NEW.id);
END $$;
CREATE TRIGGER starts_empty BEFORE INSERT ON items FOR EACH ROW
  WHEN (NEW.on_hand <> 0)
  EXECUTE FUNCTION refuse_stock();

-- Movements refer to items without a foreign key. An item is never deleted.
CREATE TRIGGER permanent BEFORE DELETE ON items FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- One uploaded CSV file. A preview until its user starts it, then queued until its last row is
-- applied or refused. A worker claims it by locking the row while it applies one chunk, so a worker
-- that dies loses only that chunk's work.
CREATE TABLE imports (
  company_id uuid NOT NULL REFERENCES companies,
  -- UUIDv5 of the form's key and the file, so that a form sent twice is one import.
  id uuid NOT NULL,
  -- The user who uploaded it.
  user_id uuid NOT NULL,
  file_name text NOT NULL,
  -- The reference of the import's adjustments.
  reference text NOT NULL,
  -- Whether rows count stock or add to it.
  reason text NOT NULL CHECK (reason IN ('count', 'received')),
  -- Applies all rows in one transaction or none. Otherwise valid rows are applied and the others
  -- reported.
  all_or_nothing boolean NOT NULL DEFAULT false,
  -- Whether rows apply if stock is not what they expect.
  ignores_expected boolean NOT NULL DEFAULT false,
  -- How its numbers were read: 12.5 or 12,5.
  decimal_mark text NOT NULL CHECK (decimal_mark IN ('.', ',')),
  -- A cell that means different numbers with either mark. The user has to decide before the start.
  decimal_doubt text,
  -- The file itself, to read it once more with the other decimal mark. Only in a preview.
  file bytea,
  -- The cells of the file's header, for the report of refused rows.
  header json NOT NULL,
  -- refused: all or nothing, with an error in a row. failed: given up after several system
  -- failures.
  status text NOT NULL CHECK (status IN ('preview', 'queued', 'done', 'refused', 'failed')),
  rows_total integer NOT NULL CHECK (rows_total > 0),
  rows_done integer NOT NULL DEFAULT 0 CHECK (rows_done >= 0),
  rows_failed integer NOT NULL CHECK (rows_failed >= 0),
  -- The last row that was applied or refused.
  position integer NOT NULL DEFAULT 0,
  -- Failed attempts at the current chunk.
  attempts smallint NOT NULL DEFAULT 0,
  -- How often the current chunk met a lock, a conflict or an outage.
  postponed smallint NOT NULL DEFAULT 0,
  -- When a worker may apply the next chunk.
  run_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Of a preview: when it was uploaded, for retention.
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, user_id) REFERENCES users (company_id, id),
  CHECK ((status = 'preview') = (file IS NOT NULL)),
  CHECK (status = 'preview' OR decimal_doubt IS NULL),
  CHECK ((status = 'queued') = (finished_at IS NULL)),
  CHECK ((status = 'queued') = (run_at IS NOT NULL)),
  CHECK (rows_done + rows_failed <= rows_total),
  CHECK (status <> 'done' OR rows_done + rows_failed = rows_total),
  CHECK (status <> 'refused' OR (all_or_nothing AND rows_done = 0 AND rows_failed > 0))
) WITH (fillfactor = 50); -- every chunk changes the counters: room for HOT updates
-- The workers' poll.
CREATE INDEX imports_queued ON imports (run_at) WHERE status = 'queued';
-- A company's newest imports.
CREATE INDEX imports_list ON imports (company_id, created_at DESC, id);
-- Retention.
CREATE INDEX imports_finished_at ON imports (finished_at);

-- The rows that wait, and the refused ones with the reason. An applied row is deleted: its movement
-- remains.
CREATE TABLE import_rows (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  -- 1 for the first row below the header.
  position integer NOT NULL CHECK (position > 0),
  -- The line on which the row ends in the file.
  line integer NOT NULL,
  -- The row as in the file, for the report.
  cells json NOT NULL,
  -- The adjustment's entry to apply.
  entry json,
  -- Why the row was refused: a list of sentences.
  errors json,
  -- text.matchKey of the entry's name, and its SKU: the preview finds the entry's item by them.
  name_key text COLLATE "C",
  sku text COLLATE "C",
  PRIMARY KEY (company_id, import_id, position),
  FOREIGN KEY (company_id, import_id) REFERENCES imports (company_id, id) ON DELETE CASCADE,
  CHECK (num_nonnulls(entry, errors) = 1)
);
-- The refused rows, however many rows wait before them.
CREATE INDEX import_rows_refused ON import_rows (company_id, import_id, position)
  WHERE errors IS NOT NULL;
