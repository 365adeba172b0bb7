-- The key of invoice_dues with the amount: sums by customer read the index alone, in its order.
-- step: concurrently
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS invoice_dues_by_customer
  ON invoice_dues (company_id, customer_key, due_date, date, number) INCLUDE (due);

-- step: once
ALTER TABLE invoice_dues
  DROP CONSTRAINT invoice_dues_pkey,
  ADD CONSTRAINT invoice_dues_pkey PRIMARY KEY USING INDEX invoice_dues_by_customer;
