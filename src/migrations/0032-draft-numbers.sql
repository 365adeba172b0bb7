-- Drafts of invoices get a short number, by which people name them to each other. It is none of the
-- numbers of invoices, and may have gaps.
-- step: once
-- A process of the release before saves drafts without a number: they get one with the next save.
ALTER TABLE invoice_drafts ADD COLUMN number integer;
-- The number of the company's next draft. A number is never given twice.
ALTER TABLE companies ADD COLUMN next_draft_number integer NOT NULL DEFAULT 1;
-- step: repeat
-- The drafts of one company, of which there are at most 500, in the order in which they were saved.
WITH company AS (
  SELECT c.id, c.next_draft_number AS next
  FROM companies c
  WHERE c.id = (
    SELECT company_id FROM invoice_drafts WHERE number IS NULL ORDER BY company_id LIMIT 1
  )
  FOR NO KEY UPDATE
), numbered AS (
  UPDATE invoice_drafts d
  SET number = company.next + place.before
  FROM company, (
      SELECT company_id, id,
        (row_number() OVER (PARTITION BY company_id ORDER BY saved_at, id) - 1)::integer AS before
      FROM invoice_drafts
      WHERE number IS NULL
    ) place
  WHERE d.company_id = company.id AND place.company_id = company.id AND place.id = d.id
  RETURNING d.id
)
UPDATE companies
SET next_draft_number = next_draft_number + (SELECT count(*)::integer FROM numbered)
FROM company
WHERE companies.id = company.id;
