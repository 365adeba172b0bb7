-- A credit note stores how much of its invoice is credited after it. The next one would otherwise
-- compute this from all notes before it, while it locks the invoice.

-- The sums of the notes up to this one: a list with [line from 0, quantity, amount] for each
-- credited line, and with the quantity and amount at its last credit by amount if there was one.
-- Quantities are in ten-thousandths, amounts in the currency's minor units. NULL in entries that
-- are no credit notes, and in those of an earlier release: the next note then computes it once.
ALTER TABLE entries ADD COLUMN credited_lines json;

-- As in 0006, and the new column does not change either.
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
