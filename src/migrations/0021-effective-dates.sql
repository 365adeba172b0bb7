-- The date from which an entry counts in balances of a past day. Entries are dated by their
-- callers, in any order, so their own dates do not say how money moved: an allocation may be dated
-- before its payment.
--
-- An entry's effective date is the latest of its own date, the dates of its payment or credit note
-- and of its invoices, and the effective dates of all earlier entries of the same payment, credit
-- note or invoice. Along each invoice, payment and credit note, effective dates never go back, so
-- the state at the end of a day is one that existed, in which nothing is below 0.

-- The columns are nullable here, and a release before this one leaves them empty. 0024 fills them.

-- step: once
ALTER TABLE entries ADD COLUMN effective_date date;

-- step: once
ALTER TABLE allocations
  -- The entry's.
  ADD COLUMN effective_date date,
  -- The date of the payment or credit note.
  ADD COLUMN source_date date,
  -- Columns of the invoice, none of which changes: a balance of a past day adds up the allocations
  -- after it, maybe a million, and reads no invoice for them.
  ADD COLUMN invoice_number bigint,
  ADD COLUMN invoice_date date,
  ADD COLUMN due_date date,
  ADD COLUMN customer_key text COLLATE "C";
