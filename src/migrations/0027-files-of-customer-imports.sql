-- The preview of an import of customers has its file, like that of an import of stock.

-- step: once
-- Both are null in previews of earlier releases, and in imports that those started.
ALTER TABLE customer_imports
  -- The file itself, to read it once more with the other decimal mark. Only in a preview.
  ADD COLUMN file bytea,
  -- How its numbers were read: 12.5 or 12,5.
  ADD COLUMN decimal_mark text CHECK (decimal_mark IN ('.', ','));
