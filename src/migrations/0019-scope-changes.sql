-- The author and the time of the last change of an API key's scopes. scopes_changed_at is NULL if
-- they are those of its creation. scopes_changed_by is NULL then, too, and for a command.
ALTER TABLE api_keys
  ADD COLUMN scopes_changed_at timestamptz,
  ADD COLUMN scopes_changed_by uuid,
  -- NOT VALID, so that no row is read while the table is locked: the new column is NULL in all.
  ADD FOREIGN KEY (company_id, scopes_changed_by) REFERENCES users (company_id, id) NOT VALID;
