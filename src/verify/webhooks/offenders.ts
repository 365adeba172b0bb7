// SQL whose rows violate an invariant of webhooks.

/** The events of a position and of a delivery are in the feed, or were. */
export const WEBHOOK_POSITIONS = `
  SELECT e.company_id AS "companyId", e.id AS "endpointId", e.position
  FROM webhook_endpoints e
  JOIN companies c ON c.id = e.company_id
  WHERE e.position >= c.next_event_sequence
  UNION ALL
  SELECT d.company_id, d.endpoint_id, d.sequence
  FROM webhook_deliveries d
  LEFT JOIN companies c ON c.id = d.company_id
  WHERE c.id IS NULL OR d.sequence >= c.next_event_sequence`;

/** A delivery has its attempts, and has succeeded exactly if one of them was answered with 2xx. */
export const WEBHOOK_DELIVERIES = `
  SELECT d.company_id AS "companyId", d.endpoint_id AS "endpointId", d.sequence
  FROM webhook_deliveries d
  LEFT JOIN LATERAL (
    SELECT count(*) AS count, max(number) AS last, min(at) AS first_at,
      bool_or(error IS NULL AND status BETWEEN 200 AND 299) AS has_succeeded
    FROM webhook_attempts a
    WHERE a.company_id = d.company_id AND a.endpoint_id = d.endpoint_id
      AND a.sequence = d.sequence
  ) a ON true
  WHERE (d.attempts, d.attempts) <> (a.count, COALESCE(a.last, 0))
    OR (d.status = 'succeeded') <> COALESCE(a.has_succeeded, false)
    OR d.created_at <> a.first_at`;

/** An endpoint has one current secret. A stored secret has its IV, 32 bytes and a tag. */
export const WEBHOOK_SECRETS = `
  SELECT e.company_id AS "companyId", e.id AS "endpointId"
  FROM webhook_endpoints e
  LEFT JOIN webhook_secrets s ON s.company_id = e.company_id AND s.endpoint_id = e.id
  GROUP BY e.company_id, e.id
  HAVING count(*) FILTER (WHERE s.id IS NOT NULL AND s.expires_at IS NULL) <> 1
    OR NOT bool_and(octet_length(s.encrypted) = 60)`;
