-- Two more roles, and the names of people. The checks are NOT VALID, so that no statement reads the
-- tables while they are locked: the roles of existing rows passed a narrower check.

ALTER TABLE users
  DROP CONSTRAINT users_role_check,
  -- src/users/roles.ts has the table of what each role may do.
  ADD CONSTRAINT users_role_check
    CHECK (role IN ('owner', 'member', 'warehouse', 'readonly')) NOT VALID,
  -- Shown instead of the e-mail address. NULL: the user has not entered one.
  ADD COLUMN name text,
  ADD CONSTRAINT users_name CHECK (length(name) BETWEEN 1 AND 100) NOT VALID;

ALTER TABLE invitations
  DROP CONSTRAINT invitations_role_check,
  ADD CONSTRAINT invitations_role_check
    CHECK (role IN ('owner', 'member', 'warehouse', 'readonly')) NOT VALID,
  -- The first values of the invited person's form, which the person may change. NULL: empty.
  ADD COLUMN name text,
  ADD COLUMN email text,
  ADD CONSTRAINT invitations_name CHECK (length(name) BETWEEN 1 AND 100) NOT VALID;
