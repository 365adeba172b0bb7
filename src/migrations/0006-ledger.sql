-- The ledger: what changes what is due on an invoice. See 0003 for which checks the database makes
-- at each insert.

-- Payments, credit notes and refunds, the reversals of payments, and allocations of what is
-- unallocated. Append-only, except for what a payment or credit note has left.
CREATE TABLE entries (
  -- Without a foreign key: the writer holds the company's lock, and companies are never deleted.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  submission_id uuid NOT NULL,
  -- Without gaps per company, in the order in which entries become visible.
  sequence bigint NOT NULL CHECK (sequence > 0),
  type text NOT NULL
    CHECK (type IN ('payment', 'reversal', 'allocation', 'refund', 'creditNote')),
  -- As given: the day of the payment, say.
  date date NOT NULL CHECK (date BETWEEN '1900-01-01' AND '2100-12-31'),
  currency char(3) NOT NULL,
  customer_name text NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  -- The money paid, credited or refunded; of a reversal, that of its payment; of an allocation, the
  -- money that it gave to invoices less what it took back.
  amount numeric(15,4) NOT NULL CHECK (amount BETWEEN -99999999999.99 AND 99999999999.99),
  -- The payment or credit note that a reversal, allocation or refund concerns.
  source_id uuid,
  -- The rest of a payment or credit note; amount = allocations + refunded + unallocated, unless it
  -- is reversed. Later entries change these three, and the JSON with them.
  refunded numeric(15,4) NOT NULL DEFAULT 0,
  unallocated numeric(15,4) NOT NULL DEFAULT 0,
  reversed boolean NOT NULL DEFAULT false,
  -- A credit note's invoice, its number (a series of its own) and its sums.
  invoice_id uuid,
  number bigint CHECK (number > 0),
  number_prefix text,
  subtotal numeric(15,4),
  tax_total numeric(15,4),
  method text,
  reference text,
  external_id text COLLATE "C",
  note text,
  -- Why an invoice was corrected: a credit note's reason.
  reason text,
  -- Why a payment was reversed or an invoice voided, in words. In no JSON.
  explanation text,
  -- The JSON of a payment, credit note or refund as it is. Of a reversal or allocation: that of its
  -- payment or credit note as it was then.
  body text NOT NULL,
  -- The JSON as the entry was answered, for replays. NULL: body has not changed since.
  first_body text,
  created_at timestamptz NOT NULL,
  -- As in adjustments.
  created_by json,
  PRIMARY KEY (company_id, id),
  CONSTRAINT entries_sequence_unique UNIQUE (company_id, sequence),
  CONSTRAINT entries_text_check CHECK (customer_name <> '' AND customer_key <> ''),
  CONSTRAINT entries_source CHECK ((type IN ('payment', 'creditNote')) = (source_id IS NULL)),
  CONSTRAINT entries_credit_note CHECK (
    num_nonnulls(invoice_id, number, number_prefix, subtotal, tax_total)
      = CASE type WHEN 'creditNote' THEN 5 ELSE 0 END
    AND (subtotal IS NULL OR subtotal >= 0 AND tax_total >= 0 AND subtotal + tax_total = amount)
  ),
  CONSTRAINT entries_amount CHECK (type IN ('allocation', 'creditNote') OR amount > 0),
  CONSTRAINT entries_rest CHECK (
    CASE
      WHEN source_id IS NOT NULL OR reversed THEN refunded = 0 AND unallocated = 0
      ELSE refunded BETWEEN 0 AND amount AND unallocated BETWEEN 0 AND amount - refunded
    END
    AND (type = 'payment' OR NOT reversed)
  )
) WITH (fillfactor = 90); -- a rest changes a few times: room for HOT updates
-- The lists, by date and then by creation, which is the order of sequences.
CREATE INDEX entries_list ON entries (company_id, type, date DESC, sequence DESC)
  WHERE type IN ('payment', 'refund', 'creditNote');
CREATE INDEX entries_customer ON entries (company_id, type, customer_key, date DESC, sequence DESC)
  WHERE type IN ('payment', 'refund', 'creditNote');
-- Payments with money that no invoice has, however many others there are.
CREATE INDEX entries_unallocated ON entries (company_id, date DESC, sequence DESC)
  WHERE type = 'payment' AND unallocated > 0;
-- A transfer is recorded only once.
CREATE UNIQUE INDEX entries_external_unique ON entries (company_id, type, external_id)
  WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX entries_number_unique ON entries (company_id, number) WHERE number IS NOT NULL;
-- An invoice's credit notes, which the next one has to know.
CREATE INDEX entries_invoice ON entries (company_id, invoice_id, sequence)
  WHERE invoice_id IS NOT NULL;
-- The later entries of a payment or credit note.
CREATE INDEX entries_source ON entries (company_id, source_id, sequence)
  WHERE source_id IS NOT NULL;

-- The amount that an entry gave to an invoice, or (negative) took back. An invoice's paid and
-- credited are the sums of these. Append-only, without foreign keys: the writer has locked both
-- rows.
CREATE TABLE allocations (
  company_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- The entry's sequence. An entry changes an invoice once.
  sequence bigint NOT NULL,
  -- The payment or credit note whose money it is; the entry itself, if that is one.
  source_id uuid NOT NULL,
  amount numeric(15,4) NOT NULL
    CHECK (amount BETWEEN -99999999999.99 AND 99999999999.99 AND amount <> 0),
  -- An invoice's entries in order.
  PRIMARY KEY (company_id, invoice_id, sequence)
);
-- The allocations of a payment or credit note.
CREATE INDEX allocations_source ON allocations (company_id, source_id);

-- The lines of the credit notes, in their JSON.
CREATE VIEW credit_note_lines AS
SELECT e.company_id,
  e.id AS credit_note_id,
  e.invoice_id,
  item.position::smallint AS position,
  -- The invoice's line, counted from 1.
  item.line,
  item.name, item.sku,
  -- NULL: money alone.
  item.qty,
  item.amount,
  item."itemId" AS item_id,
  -- Whether the quantity went back into stock.
  item.restocked
FROM entries e,
  ROWS FROM (
    json_to_recordset(e.body::json -> 'items') AS (
      line int, name text, sku text, qty numeric, amount numeric, "itemId" uuid, restocked boolean
    )
  ) WITH ORDINALITY AS item (line, name, sku, qty, amount, "itemId", restocked, position)
WHERE e.type = 'creditNote';

CREATE TRIGGER append_only_delete BEFORE DELETE ON entries FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Only the rest of a payment or credit note changes, and what shows it.
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
      OLD.created_at, OLD.created_by::text
    ) IS DISTINCT FROM (
      NEW.company_id, NEW.id, NEW.submission_id, NEW.sequence, NEW.type, NEW.date, NEW.currency,
      NEW.customer_name, NEW.customer_key, NEW.amount, NEW.source_id,
      NEW.invoice_id, NEW.number, NEW.number_prefix, NEW.subtotal, NEW.tax_total,
      NEW.method, NEW.reference, NEW.external_id, NEW.note, NEW.reason, NEW.explanation,
      NEW.created_at, NEW.created_by::text
    )
  )
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON allocations FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON entries EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON allocations
  EXECUTE FUNCTION refuse_change();
