-- How far the audit has compared each company's feed: the last event, and the last invoice and
-- entry that an event announced. 0: no event has announced one yet.
-- step: once
ALTER TABLE audits
  ADD COLUMN event_sequence bigint NOT NULL DEFAULT 0,
  ADD COLUMN announced_number bigint NOT NULL DEFAULT 0,
  ADD COLUMN announced_entry bigint NOT NULL DEFAULT 0;
