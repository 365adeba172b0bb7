// Ids are UUIDs.
import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** True for a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * A new UUIDv7 (RFC 9562, 5.7): the time in milliseconds, then random bits. Ids of one millisecond
 * have no order. The random bits come from Node's pool, which is much cheaper than a read per id.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
