-- The list of deliveries, and their corrections. A delivery is an adjustment with the reason
-- "received". A correction is an adjustment of its own, so that the delivery never changes.

-- The delivery that this adjustment corrects. Without a foreign key, which would look up the
-- delivery again: the writer has read it. NULL: no correction.
ALTER TABLE adjustments ADD COLUMN corrects uuid;
-- text.matchKey of a delivery's reference, note, item names and SKUs, one per line, for the search.
-- Empty for received stock that is no delivery, such as the opening stock of a new item. NULL for
-- other reasons, and for deliveries of an earlier release, which are found by reference and note.
ALTER TABLE adjustments ADD COLUMN delivery_key text COLLATE "C";
-- The unit costs that a delivery set, in the order of its movements, each a number or null. NULL if
-- it set none.
ALTER TABLE adjustments ADD COLUMN unit_costs json;
-- No row of an earlier release has a value, so there is nothing to validate.
ALTER TABLE adjustments
  ADD CONSTRAINT adjustments_corrects CHECK (corrects IS NULL OR reason = 'correction') NOT VALID;

-- step: concurrently
-- The list and its cursor.
CREATE INDEX CONCURRENTLY IF NOT EXISTS adjustments_deliveries
  ON adjustments (company_id, created_at DESC, id DESC)
  WHERE reason = 'received' AND delivery_key IS DISTINCT FROM '';
-- The corrections of a delivery, in their order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS adjustments_corrections
  ON adjustments (company_id, corrects, stock_version)
  WHERE corrects IS NOT NULL;
