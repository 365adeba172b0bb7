import { createHmac, timingSafeEqual } from 'node:crypto';

const MAX_AGE_SECONDS = 300;

/** True for a webhook from Tradepost. `body` has the raw bytes, before any JSON parser. */
export function isFromTradepost(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  const expected = createHmac('sha256', key).update(signed).digest();
  // During a rotation there are several signatures.
  return (headers['webhook-signature'] ?? '').split(' ').some(part => {
    const [version, signature = ''] = part.split(',');
    const given = Buffer.from(signature, 'base64');
    const isSame = given.length === expected.length && timingSafeEqual(given, expected);
    return version === 'v1' && isSame;
  });
}
