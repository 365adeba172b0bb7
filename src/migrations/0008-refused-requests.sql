-- What a refused write asked for, where its client had gone on with 202: who did not wait may want to mend it and send it
-- again. Not left in payload, which says that a job can still be carried out.
ALTER TABLE jobs ADD COLUMN refused_payload json;
