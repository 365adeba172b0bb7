// SQL whose rows violate an invariant of e-mails.
import { numberText } from '../../invoices/queries.js';
import { creditNoteNumberText } from '../../ledger/queries.js';

/** The database refuses a second one, too. */
export const EMAILS_OF_CREATES = `
  SELECT company_id AS "companyId", document_id AS "documentId", count(*) AS emails
  FROM emails
  WHERE of_create
  GROUP BY company_id, document_id
  HAVING count(*) > 1`;

/** An e-mail with a sender has all of its attachments, and one that was sent has a sender. */
export const EMAIL_ATTACHMENTS = `
  SELECT COALESCE(e.company_id, a.company_id) AS "companyId",
    COALESCE(e.id, a.email_id) AS "emailId"
  FROM (
    SELECT e.company_id, e.id, e.status, e.sender IS NOT NULL AS is_prepared,
      array_agg(
        CASE form WHEN 'pdf' THEN 'application/pdf' WHEN 'ubl' THEN 'application/xml' END
        ORDER BY position
      ) AS media_types
    FROM emails e, json_array_elements_text(e.attach) WITH ORDINALITY AS f (form, position)
    GROUP BY e.company_id, e.id
  ) e
  FULL JOIN (
    SELECT company_id, email_id, count(*) AS count, max(position) AS last,
      array_agg(media_type ORDER BY position) AS media_types,
      bool_and(sha256(bytes) = hash) AS are_whole
    FROM email_attachments
    GROUP BY company_id, email_id
  ) a ON a.company_id = e.company_id AND a.email_id = e.id
  WHERE e.id IS NULL
    OR e.status = 'sent' AND NOT e.is_prepared
    OR e.is_prepared <> (a.email_id IS NOT NULL)
    OR a.count <> a.last
    OR NOT a.are_whole
    OR a.media_types <> e.media_types`;

/** The document exists and has the number; e-mails of creates are those of invoices. */
export const EMAIL_DOCUMENTS = `
  SELECT m.company_id AS "companyId", m.id AS "emailId", m.document_id AS "documentId"
  FROM emails m
  LEFT JOIN invoices i
    ON i.company_id = m.company_id AND i.id = m.document_id AND m.document_type = 'invoice'
  LEFT JOIN entries e
    ON e.company_id = m.company_id AND e.id = m.document_id AND m.document_type = 'creditNote'
      AND e.type = 'creditNote'
  WHERE COALESCE(${numberText}, ${creditNoteNumberText}) IS DISTINCT FROM m.document_number
    OR m.of_create AND m.document_type <> 'invoice'`;

/** An e-mail is due exactly while it is queued, and was admitted before it was tried. */
export const EMAIL_STATES = `
  SELECT company_id AS "companyId", id AS "emailId", status
  FROM emails
  WHERE (status = 'queued') <> (due_at IS NOT NULL)
    OR status <> 'queued' AND num_nonnulls(lease_token, leased_until) > 0
    OR attempts > 0 AND admitted_at IS NULL
    OR status = 'failed' AND error IS NULL
    OR status <> 'queued' AND attempts = 0
    OR error IS NOT NULL AND error ->> 'code' NOT IN
      ('smtp_refused', 'smtp_unreachable', 'document_incomplete', 'document_unavailable')`;
