-- Drafts of invoices: forms that a person saves before the invoice is issued. A draft has no number
-- and moves no stock, so none of its text needs to be valid. Drafts change under the lock of the
-- company's row. The transaction that creates the invoice deletes its draft.
CREATE TABLE invoice_drafts (
  company_id uuid NOT NULL REFERENCES companies,
  -- The key of the form that was saved first, so that a form sent twice is one draft.
  id uuid NOT NULL,
  -- Each save adds 1. A form carries the version that it was opened with, and neither saves nor
  -- issues a draft that another person has changed since.
  version integer NOT NULL DEFAULT 1,
  -- The form's fields as they were typed, application/x-www-form-urlencoded. Fields without text
  -- are left out. No form is longer than the limit.
  fields text NOT NULL CHECK (length(fields) <= 524288),
  -- The next four are for the list, which reads no fields. Empty without a customer.
  customer_name text NOT NULL CHECK (length(customer_name) <= 255),
  -- NULL if the form has no valid date.
  date date,
  -- The total that the form showed when it was saved. NULL if no line has an amount.
  total numeric CHECK (total >= 0),
  -- The currency of the total: the company may change its own before its first invoice.
  currency char(3) NOT NULL,
  -- The person who saved it first, and the one who saved it last: {kind, id, name}.
  created_by json NOT NULL,
  saved_by json NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  -- A company has at most 500 drafts, so the list sorts them and needs no further index.
  PRIMARY KEY (company_id, id)
);
