-- E-mails of documents: an outbox. Workers send the rows that are due. Sent e-mails are never
-- deleted: the attachments are the legal copy of the document that the customer got.

CREATE TABLE emails (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  -- The document: what it is (invoice, creditNote), its id and its full number. There is no foreign
  -- key, because each kind has a table of its own.
  document_type text NOT NULL,
  document_id uuid NOT NULL,
  document_number text NOT NULL,
  -- True for the e-mail with which an invoice was created.
  of_create boolean NOT NULL DEFAULT false,
  -- {"to":[…],"cc":[…]}, as sent.
  recipients json NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  -- The forms of the attachments, in order: ["pdf","ubl"].
  attach json NOT NULL,
  -- {"name","replyTo","copyTo"} of the company when the attachments were stored. NULL: they are not
  -- stored yet.
  sender json,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed')),
  -- Attempts that were started.
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- {"code","detail","rejected":[{"address","reply"}]} of the last attempt.
  error json,
  -- The person or key: {"kind","id","name"}.
  created_by json,
  -- In whole milliseconds, by the database's clock.
  created_at timestamptz NOT NULL,
  -- When it took one of the company's places per hour. NULL: it waits for one.
  admitted_at timestamptz,
  sent_at timestamptz,
  -- The lease of platform/leases. due_at is NULL once the status is final.
  due_at timestamptz DEFAULT clock_timestamp(),
  timed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease_token uuid,
  leased_until timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT emails_due CHECK (due_at IS NULL OR status = 'queued'),
  CONSTRAINT emails_sent CHECK ((status = 'sent') = (sent_at IS NOT NULL))
);
-- An invoice is created with one e-mail at most.
CREATE UNIQUE INDEX emails_of_create ON emails (company_id, document_id) WHERE of_create;
-- The list, and that of a document.
CREATE INDEX emails_list ON emails (company_id, created_at DESC, id DESC);
CREATE INDEX emails_document ON emails (company_id, document_id, created_at DESC, id DESC);
-- Those of the last hour.
CREATE INDEX emails_admitted ON emails (company_id, admitted_at) WHERE admitted_at IS NOT NULL;
-- Those that wait for a place.
CREATE INDEX emails_waiting ON emails (company_id, created_at, id)
  WHERE due_at IS NOT NULL AND admitted_at IS NULL;
-- Those that workers have to send.
CREATE INDEX emails_due_at ON emails (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE email_attachments (
  company_id uuid NOT NULL,
  email_id uuid NOT NULL,
  -- 1, 2, … in the order of the e-mail's forms.
  position integer NOT NULL CHECK (position > 0),
  file_name text NOT NULL,
  media_type text NOT NULL,
  -- SHA-256 of the bytes.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  bytes bytea NOT NULL,
  PRIMARY KEY (company_id, email_id, position),
  FOREIGN KEY (company_id, email_id) REFERENCES emails
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON email_attachments FOR EACH ROW
  EXECUTE FUNCTION refuse_change();
-- Row triggers do not fire on TRUNCATE.
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON email_attachments
  EXECUTE FUNCTION refuse_change();
