// Secrets and signatures of Standard Webhooks 1.0.0.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function makeSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** A secret as its owner sees it. */
export function secretText(secret: Buffer): string {
  return PREFIX + secret.toString('base64');
}

/** The parts of a delivery that are signed. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of webhook-signature: one signature per secret, in their order. */
export function signatures(
  secrets: readonly Buffer[],
  { id, timestamp, body }: SignedMessage,
): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets
    .map(secret => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    .join(' ');
}
