// Finds the addresses of a host. Names come from DNS alone: dns.lookup would read /etc/hosts, and
// it blocks a thread of the process while a name server is silent (nodejs/node#8436).
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';

/** A name server that is silent for longer fails the delivery. */
export const DNS_TIMEOUT_MS = 3_000;
const TRIES = 3;

const LOOPBACK = ['127.0.0.1', '::1'];

export interface ResolverOptions {
  /** host:port. Undefined: the system's. */
  readonly nameServers: readonly string[] | undefined;
}

/** The host has no address, or no name server has answered in time. */
export class HostNotFound extends Error {}

/** True for an IP address as the hostname of a URL has it. */
export function isLiteral(hostname: string): boolean {
  return isIP(withoutBrackets(hostname)) !== 0;
}

/** True for the name of this machine, which needs no look-up (RFC 6761, 6.3). */
export function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === 'localhost.';
}

/** All addresses of a URL's hostname, one at least. Throws HostNotFound. */
export async function resolveHost(
  hostname: string,
  { nameServers }: ResolverOptions,
): Promise<readonly string[]> {
  if (isLiteral(hostname)) return [withoutBrackets(hostname)];
  if (isLocalhost(hostname)) return LOOPBACK;
  const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS / TRIES, tries: TRIES });
  if (nameServers) resolver.setServers([...nameServers]);
  // A busy process reads the answers that have arrived before it gives up.
  const timer = setTimeout(() => setImmediate(() => resolver.cancel()), DNS_TIMEOUT_MS);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  clearTimeout(timer);
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new HostNotFound(`there is no address of ${hostname}`);
  return addresses;
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
