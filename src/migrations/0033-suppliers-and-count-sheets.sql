-- The supplier and the day of arrival of deliveries, and sheets for counting many items.

-- The supplier of a delivery, and the day on which it arrived; NULL if they were not entered. A
-- correction has those that hold from then on, an empty supplier for none, and NULL for unchanged.
ALTER TABLE adjustments
  ADD COLUMN supplier text,
  ADD COLUMN arrived_on date;
-- No row of an earlier release has a value, so there is nothing to validate.
ALTER TABLE adjustments
  ADD CONSTRAINT adjustments_supply CHECK (
    num_nonnulls(supplier, arrived_on) = 0 OR reason IN ('received', 'correction')
  ) NOT VALID;

-- A count of many items, which one or several people fill in over hours. It changes no stock until
-- it is booked as one adjustment, whose transaction deletes it. Sheets change under the lock of the
-- company's row.
CREATE TABLE count_sheets (
  company_id uuid NOT NULL REFERENCES companies,
  -- The key of the form that started it, so that a form sent twice starts one sheet.
  id uuid NOT NULL,
  name text NOT NULL CHECK (name <> '' AND length(name) <= 100),
  -- Each change of a line adds 1. A review books the version that it showed.
  version integer NOT NULL DEFAULT 1,
  -- {kind, id, name}.
  created_by json NOT NULL,
  saved_at timestamptz NOT NULL DEFAULT now(),
  -- A company has at most 100 sheets, so the list sorts them and needs no further index.
  PRIMARY KEY (company_id, id)
);

-- One row per counted item of a sheet, at most 250.
CREATE TABLE count_lines (
  company_id uuid NOT NULL,
  sheet_id uuid NOT NULL,
  item_id uuid NOT NULL,
  counted numeric(15,4) NOT NULL CHECK (counted BETWEEN -99999999999.9999 AND 99999999999.9999),
  -- The item's stock when it was first counted: what moved since then is added to the count.
  on_hand numeric(15,4) NOT NULL CHECK (on_hand BETWEEN -99999999999.9999 AND 99999999999.9999),
  -- The key of the form that wrote the line last: sent again, it changes nothing.
  once uuid NOT NULL,
  -- The person who counted it last: {kind, id, name}.
  created_by json NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, sheet_id, item_id),
  FOREIGN KEY (company_id, sheet_id) REFERENCES count_sheets ON DELETE CASCADE
);
