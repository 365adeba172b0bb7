// The addresses of a host that deliveries may reach. They are judged when an endpoint is stored and
// again at each connection, because a name can get other addresses (DNS rebinding).
import type { AddressRanges } from './addresses.js';
import { isLiteral, isLocalhost, type ResolverOptions, resolveHost } from './resolve.js';

/** Lower ports belong to other services, which must not get requests. */
export const MIN_OTHER_PORT = 1_024;
const HTTPS_PORT = 443;

export interface TargetRules extends ResolverOptions {
  readonly ranges: AddressRanges;
}

/** The host has an address that deliveries must not reach. */
export class AddressRefused extends Error {}

/**
 * True for a URL that only the operator's ranges permit: http, a literal address, or a port that is
 * neither 443 nor at least 1024.
 */
export function needsRange({ protocol, port, hostname }: URL): boolean {
  const number = port === '' ? HTTPS_PORT : Number(port);
  const isUsualPort = number === HTTPS_PORT || number >= MIN_OTHER_PORT;
  return protocol !== 'https:' || !isUsualPort || isLiteral(hostname);
}

/**
 * The addresses of the URL's host, one at least. Throws HostNotFound, or AddressRefused if one of
 * them is refused.
 */
export async function permittedAddresses(url: URL, rules: TargetRules): Promise<readonly string[]> {
  const { ranges } = rules;
  const { hostname } = url;
  const isPermitted = (address: string) =>
    needsRange(url) ? ranges.includes(address) : ranges.permits(address);
  const addresses = await resolveHost(hostname, rules);
  const permitted = addresses.filter(isPermitted);
  // Either address of localhost is enough: the ranges may name only one.
  const isEnough = isLocalhost(hostname)
    ? permitted.length > 0
    : permitted.length === addresses.length;
  if (!isEnough) throw new AddressRefused(`an address of ${hostname} is refused`);
  return permitted;
}
