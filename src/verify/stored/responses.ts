// SQL whose rows are the stored responses of requests that were not queued, other than what they
// answered with: a version of a customer's record, an e-mail, or a problem.
import { emailJson } from '../../emails/email.js';
import { API } from '../../platform/api-path.js';

/** The JSON without what a record does not store, or what dating the demo's history changes. */
const lasting = (body: string) => `
      regexp_replace(${body}, '"(currency|createdAt|updatedAt)":("[^"]*"|null)', '', 'g')`;

/** The members of an e-mail's JSON that its attempts change. */
const OUTCOME = `'{status,attempts,error,sentAt}'::text[]`;

export const STORED_RESPONSES = `
  SELECT r.company_id AS "companyId", r.id AS "responseId", r.status
  FROM stored_responses r,
    LATERAL (SELECT r.body::json ->> 'id' AS id, r.body::json ->> 'status' AS status OFFSET 0) json
  WHERE CASE
    WHEN r.status = 202 THEN
      r.location IS DISTINCT FROM '${API}/emails/' || json.id
      OR json.status IS DISTINCT FROM 'queued'
      OR NOT EXISTS (
        SELECT
        FROM emails e
        WHERE e.company_id = r.company_id AND e.id = json.id::uuid
          AND ${emailJson}::jsonb - ${OUTCOME} = r.body::jsonb - ${OUTCOME}
      )
    WHEN r.status NOT IN (200, 201) THEN
      r.status::text IS DISTINCT FROM json.status OR r.location IS NOT NULL
    ELSE
      r.location IS DISTINCT FROM CASE WHEN r.status = 201 THEN '${API}/customers/' || json.id END
      OR NOT EXISTS (
        SELECT
        FROM customer_versions v
        WHERE v.company_id = r.company_id AND v.customer_id = json.id::uuid
          AND ${lasting('v.body')} = ${lasting('r.body')}
      )
    END`;
