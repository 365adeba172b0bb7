-- For bookkeeping: the format of CSV files.

-- The delimiter and the decimal separator of CSV downloads.
ALTER TABLE companies ADD COLUMN csv_format text NOT NULL DEFAULT 'comma'
  CONSTRAINT companies_csv_format CHECK (csv_format IN ('comma', 'semicolon'));
