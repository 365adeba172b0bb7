-- The author and the time of the last change of an API key's scopes. NULL in scopes_changed_at: the
-- scopes are those of its creation. NULL in scopes_changed_by: unchanged, or changed by an operator's
-- command.
ALTER TABLE api_keys
  ADD COLUMN scopes_changed_at timestamptz,
  ADD COLUMN scopes_changed_by uuid,
  -- NOT VALID, so that no row is read while the table is locked: the new column is NULL in all.
  ADD FOREIGN KEY (company_id, scopes_changed_by) REFERENCES users (company_id, id) NOT VALID;
