// Network addresses. Callers are counted by IPv4 address or IPv6 /64, one customer's network.
import { isIP } from 'node:net';
import type { Context } from 'koa';

const GROUPS_PER_NETWORK = 4;

/**
 * The key that a request's client is counted by: the address that the trusted proxies report if it
 * is valid, else the connection's peer.
 */
export function clientNetwork(ctx: Context): string {
  return networkOf(ctx.ip) ?? networkOf(ctx.req.socket.remoteAddress ?? '') ?? 'unknown';
}

/** The network of an address, null for other text. Accepts a port, which some proxies add. */
export function networkOf(address: string): string | null {
  const bare = /^\[?([0-9a-f.:]+?)\]?(?::\d+)?$/iu.exec(address);
  const text = isIP(address) ? address : (bare?.[1] ?? '');
  if (isIP(text) === 4) return text;
  if (isIP(text) !== 6) return null;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(text)?.[1];
  return mapped ?? networkOfIpv6(text);
}

/** The URL of a server, with IPv6 addresses in brackets (RFC 3986, 3.2.2). */
export function httpUrl(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** True if a Host header names this machine by its loopback interface, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/iu.test(host);
}

/** True for a peer on this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./iu.test(address);
}

function networkOfIpv6(address: string): string {
  // The URL parser writes an address in its one canonical form (RFC 5952).
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, GROUPS_PER_NETWORK).join(':')}::/64`;
}
