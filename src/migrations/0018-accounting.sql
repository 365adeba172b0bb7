-- For bookkeeping: the format of CSV files, and the figures of the tax report.

-- The delimiter and the decimal separator of CSV downloads.
ALTER TABLE companies
  ADD COLUMN csv_format text NOT NULL DEFAULT 'comma',
  ADD CONSTRAINT companies_csv_format CHECK (csv_format IN ('comma', 'semicolon')) NOT VALID;

-- step: once
ALTER TABLE companies VALIDATE CONSTRAINT companies_csv_format;

-- step: once
-- How far each company's invoices and entries are folded into tax_totals: like summaries, but with
-- watermarks of its own, so that the invoices of an earlier release are folded step by step.
CREATE TABLE tax_progress (
  company_id uuid PRIMARY KEY REFERENCES companies,
  -- The last invoice.
  watermark bigint NOT NULL DEFAULT 0,
  -- The last entry of the ledger.
  entry_sequence bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Net amounts and tax of invoices and credit notes, by the month of their own dates and by tax
-- category and rate. A company has some ten rows per month, so a report of years reads few rows.
CREATE TABLE tax_totals (
  company_id uuid NOT NULL REFERENCES companies,
  -- The month's first day.
  month date NOT NULL,
  type text NOT NULL,
  -- A category of EN 16931; 'none' for documents whose lines have no tax.
  category text COLLATE "C" NOT NULL,
  -- In percent.
  rate numeric(7,4) NOT NULL,
  -- Less all discounts, without tax.
  net numeric NOT NULL,
  tax numeric NOT NULL,
  PRIMARY KEY (company_id, month, type, category, rate),
  CONSTRAINT tax_totals_check CHECK (
    type IN ('invoice', 'creditNote')
    AND net BETWEEN 0 AND 1e30 AND tax BETWEEN 0 AND 1e30
    AND extract(day FROM month) = 1
  )
) WITH (fillfactor = 70); -- they change often: room for HOT updates
