-- The monthly figures of customers and items become net: credit notes are subtracted from them in
-- the month of their own date. Invoices that were voided are counted by day.

-- How far credit notes are folded. Entries before this migration are folded without them, so this
-- has a watermark of its own. -1 in existing rows: it differs from every counter, so the next sweep
-- folds the company's credit notes from the first one, and replaces its body.
ALTER TABLE summaries ADD COLUMN credit_sequence bigint NOT NULL DEFAULT -1;
ALTER TABLE summaries ALTER COLUMN credit_sequence SET DEFAULT 0;

-- As in 0005, and credit_sequence is not ahead either.
CREATE OR REPLACE FUNCTION check_summary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM companies company
    WHERE company.id = NEW.company_id
      AND NEW.watermark < company.next_invoice_number
      AND NEW.entry_sequence < company.next_entry_sequence
      AND NEW.credit_sequence < company.next_entry_sequence
      AND NEW.stock_version <= company.stock_version
  ) THEN
    PERFORM refuse('a summary is ahead of its company', NEW.company_id);
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER check_summary ON summaries;
CREATE TRIGGER check_summary BEFORE INSERT OR UPDATE ON summaries FOR EACH ROW
  WHEN (
    NEW.watermark > 0 OR NEW.entry_sequence > 0 OR NEW.credit_sequence > 0 OR NEW.stock_version > 0
  )
  EXECUTE FUNCTION check_summary();

-- The new checks are wider than those of 0005, so existing rows satisfy them: NOT VALID saves
-- reading the tables while they are locked.

-- A month may have only credit notes of a customer or item: its net figures are then negative or 0,
-- no invoice is counted, and name is empty.
ALTER TABLE customer_totals DROP CONSTRAINT customer_totals_check;
ALTER TABLE customer_totals ADD CONSTRAINT customer_totals_check CHECK
  (count >= 0 AND total BETWEEN -1e30 AND 1e30 AND extract(day FROM month) = 1) NOT VALID;
ALTER TABLE item_totals DROP CONSTRAINT item_totals_check;
ALTER TABLE item_totals ADD CONSTRAINT item_totals_check CHECK (
  qty BETWEEN -1e30 AND 1e30 AND total BETWEEN -1e30 AND 1e30 AND extract(day FROM month) = 1
) NOT VALID;

-- 'void': the credit notes that voided an invoice, which are also part of 'creditNote'.
ALTER TABLE entry_totals DROP CONSTRAINT entry_totals_check;
ALTER TABLE entry_totals ADD CONSTRAINT entry_totals_check CHECK (
  type IN ('payment', 'reversal', 'refund', 'creditNote', 'void')
  AND count > 0 AND total BETWEEN 0 AND 1e30 AND tax BETWEEN 0 AND total
) NOT VALID;

-- The last folded credit note whose month the audit has compared.
ALTER TABLE audits ADD COLUMN credit_sequence bigint NOT NULL DEFAULT 0;
