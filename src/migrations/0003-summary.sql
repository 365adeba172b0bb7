-- The monthly figures. Rollups are folded forward from invoices.number > watermark: numbers are gap-free and commit in
-- order, so that is exactly what is new, and the cost follows what is new and not what exists.

-- One row a company: how far its invoices are folded, and the answer of GET /summary for one local day.
CREATE TABLE summaries (
  company_id uuid PRIMARY KEY REFERENCES companies,
  watermark bigint NOT NULL DEFAULT 0,
  -- companies.stock_version when body was made.
  stock_version bigint NOT NULL DEFAULT 0,
  -- The local day that body was made for: at midnight "to the same day" becomes another figure.
  day date,
  -- The company's settings that body was made with; after a change it is made anew.
  currency text,
  time_zone text,
  body text,
  computed_at timestamptz
) WITH (toast_tuple_target = 128); -- bodies lie apart: the sweep reads every row and none of them

CREATE TABLE daily_totals (
  company_id uuid NOT NULL REFERENCES companies,
  date date NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, date)
);

CREATE TABLE customer_totals (
  company_id uuid NOT NULL REFERENCES companies,
  -- The month's first day.
  month date NOT NULL,
  customer_key text COLLATE "C" NOT NULL,
  -- The spelling on the newest invoice.
  name text NOT NULL,
  count bigint NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, month, customer_key)
);
CREATE INDEX customer_totals_top ON customer_totals (company_id, month, total DESC, customer_key);

CREATE TABLE item_totals (
  company_id uuid NOT NULL REFERENCES companies,
  month date NOT NULL,
  -- As in invoice_lines.
  item_key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  qty numeric NOT NULL,
  total numeric NOT NULL,
  PRIMARY KEY (company_id, month, item_key)
);
CREATE INDEX item_totals_top ON item_totals (company_id, month, total DESC, item_key);
