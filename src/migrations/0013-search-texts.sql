-- Texts for the dashboard's searches. Creates do not write them: the sweep of summaries does, a
-- second or two later, from the invoices that it reads anyway. Newer rows are searched directly.

-- The searchable texts of invoices, payments or credit notes, in the order of their positions.
CREATE TABLE search_texts (
  company_id uuid NOT NULL REFERENCES companies,
  kind text NOT NULL CHECK (kind IN ('invoice', 'payment', 'creditNote')),
  -- The first position: an invoice's number or an entry's sequence.
  first bigint NOT NULL,
  -- One line per row: position, date and amount, each followed by U+0001; then the texts without
  -- case and accents, each followed by U+0002. No text contains control characters. "C": strpos
  -- compares bytes.
  lines text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, kind, first)
);
-- Reads every text of a company, so unpacking would take longer than reading.
ALTER TABLE search_texts ALTER COLUMN lines SET STORAGE EXTERNAL;

-- The last invoice and entry with a search text. They follow the watermarks, and catch up with what
-- earlier releases have folded.
ALTER TABLE summaries ADD COLUMN searchable_number bigint NOT NULL DEFAULT 0;
ALTER TABLE summaries ADD COLUMN searchable_sequence bigint NOT NULL DEFAULT 0;

-- step: concurrently
-- Credit notes with money that no invoice has, like entries_unallocated for payments.
CREATE INDEX CONCURRENTLY IF NOT EXISTS entries_unallocated_notes
  ON entries (company_id, date DESC, sequence DESC)
  WHERE type = 'creditNote' AND unallocated > 0;
