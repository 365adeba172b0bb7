// Reads the endpoint of a turn. Its times are those of the database. A turn continues them with the
// clock of this process, which may be set differently but runs equally fast.
import { readFeedPosition } from '../../events/read.js';
import { queryOne } from '../../platform/db/connection.js';
import { readSecrets } from '../endpoints/secret-rows.js';
import type { EncryptionKeys } from '../secrets/encryption.js';
import type { EndpointRef } from './deliveries.js';
import type { Health } from './health.js';

export interface EndpointState {
  readonly url: string;
  readonly types: readonly string[];
  readonly status: 'active' | 'paused' | 'disabled';
  readonly isOrdered: boolean;
  readonly isProbeDue: boolean;
  /** All events after it are in the feed. */
  readonly position: number;
  /** Events between the stored position and this one: they have expired. */
  readonly missed: number;
  readonly health: Health;
  /** Newest first. Empty: none could be decrypted. */
  readonly secrets: readonly Buffer[];
  /** Milliseconds since 1970, by the database's clock. */
  now(): number;
}

interface EndpointRow {
  readonly url: string;
  readonly types: readonly string[];
  readonly status: EndpointState['status'];
  readonly isOrdered: boolean;
  readonly position: string;
  readonly failures: number;
  readonly failedSequences: readonly string[];
  readonly isQuick: boolean;
  readonly isFailing: boolean;
  readonly probeAt: number | null;
  readonly probes: number;
  readonly disableAt: number | null;
  readonly now: number;
}

const milliseconds = (time: string) => `extract(epoch FROM ${time})::float8 * 1000`;

/** Null if the endpoint was deleted. */
export async function loadEndpoint(
  { companyId, endpointId }: EndpointRef,
  keys: EncryptionKeys,
): Promise<EndpointState | null> {
  const [row, secrets, feed] = await Promise.all([
    readEndpoint(companyId, endpointId),
    readSecrets(companyId, endpointId, keys),
    readFeedPosition(companyId),
  ]);
  if (!row) return null;
  const readAt = performance.now();
  const position = Number(row.position);
  const expired = Math.max(0, feed.oldest - 1 - position);
  const { probeAt, probes, disableAt } = row;
  return {
    url: row.url,
    types: row.types,
    status: row.status,
    isOrdered: row.isOrdered,
    isProbeDue: probeAt !== null && probeAt <= row.now,
    position: position + expired,
    missed: expired,
    health: {
      failures: row.failures,
      failedSequences: row.failedSequences.map(Number),
      isQuick: row.isQuick,
      failing: row.isFailing ? { probes, probeAt: probeAt ?? 0, disableAt: disableAt ?? 0 } : null,
      disabled: null,
    },
    secrets,
    now: () => row.now + performance.now() - readAt,
  };
}

function readEndpoint(companyId: string, id: string): Promise<EndpointRow | null> {
  return queryOne<EndpointRow>(
    `SELECT url, types, status, ordered AS "isOrdered", position::text AS position,
       failures, failed_sequences::text[] AS "failedSequences", is_quick AS "isQuick",
       health = 'failing' AS "isFailing",
       probes,
       ${milliseconds('probe_at')} AS "probeAt",
       ${milliseconds('disable_at')} AS "disableAt",
       ${milliseconds('clock_timestamp()')} AS now
     FROM webhook_endpoints
     WHERE company_id = $1 AND id = $2`,
    [companyId, id],
  );
}
