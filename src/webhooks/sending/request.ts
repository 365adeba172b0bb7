// The headers of a delivery (Standard Webhooks 1.0.0).
import { signatures } from '../secrets/signing.js';
import type { HeaderMap } from './outcome.js';

/** `now` is in milliseconds since 1970, by the database's clock. */
export function webhookHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly Buffer[],
  now: number,
): HeaderMap {
  const timestamp = Math.floor(now / 1_000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Tradepost-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(secrets, { id, timestamp, body }),
  };
}
