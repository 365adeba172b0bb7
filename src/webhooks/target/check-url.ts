// The rules for the URL of an endpoint. Those for addresses hold again at each connection.
import type { Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import {
  AddressRefused,
  MIN_OTHER_PORT,
  needsRange,
  permittedAddresses,
  type TargetRules,
} from './permitted.js';
import { HostNotFound, isLiteral } from './resolve.js';

export const MAX_URL_LENGTH = 2_000;

/**
 * The URL in the form in which it is stored and compared (WHATWG). Looks up its host. Throws the
 * field errors `invalid_url` and `private_address`.
 */
export async function checkUrl(text: string, rules: TargetRules): Promise<string> {
  const url = parseUrl(text);
  try {
    await permittedAddresses(url, rules);
  } catch (error) {
    const isMissing = error instanceof HostNotFound;
    if (!isMissing && !(error instanceof AddressRefused)) throw error;
    if (needsRange(url)) throw invalidUrl(ruleOf(url));
    // A host that cannot be found may be set up later.
    if (!isMissing) throw privateAddress();
  }
  return url.href;
}

/** Throws the field error `invalid_url` of what needs no look-up. */
function parseUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) throw invalidUrl(TOO_LONG);
  if (!URL.canParse(text)) throw invalidUrl('Must be a URL such as https://example.com/hooks.');
  const url = new URL(text);
  const { protocol, username, password, href } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw invalidUrl(NOT_HTTPS);
  if (username !== '' || password !== '')
    throw invalidUrl('Must not contain a user or a password.');
  if (href.includes('#')) throw invalidUrl('Must not contain a fragment (#).');
  if (href.length > MAX_URL_LENGTH) throw invalidUrl(TOO_LONG);
  return url;
}

const TOO_LONG = 'Must be at most 2,000 characters.';
const NOT_HTTPS = 'Must begin with https://.';

function ruleOf({ protocol, hostname }: URL): string {
  if (protocol !== 'https:') return NOT_HTTPS;
  if (isLiteral(hostname)) return 'Must have a host name in place of an address.';
  return `Must have port 443, or one from ${MIN_OTHER_PORT} on.`;
}

function invalidUrl(sentence: string): Problem {
  return invalidField('url', sentence, 'invalid_url');
}

function privateAddress(): Problem {
  const sentence = 'The host has an address that is not public.';
  return invalidField('url', sentence, 'private_address');
}
