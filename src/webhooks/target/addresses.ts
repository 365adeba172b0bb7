// Judges IP addresses: deliveries go to public unicast addresses, and to the ranges that the
// operator permits.
import ipaddr from 'ipaddr.js';

/** Global unicast addresses of IPv6 (RFC 4291, 2.4). Others are special, or not assigned yet. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Special 96-bit and 16-bit prefixes that contain an IPv4 address (NAT64, 6to4) have ranges of
 * their own in ipaddr.js, so none of them is public.
 */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}

/** Ranges in CIDR notation. An IPv4 range has no IPv4-mapped addresses. */
export class AddressRanges {
  readonly #ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(ranges: readonly string[]) {
    this.#ranges = ranges.map(range => ipaddr.parseCIDR(range));
  }

  includes(address: string): boolean {
    const parsed = ipaddr.parse(address);
    return this.#ranges.some(
      ([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits),
    );
  }

  /** True for an address that deliveries may reach. */
  permits(address: string): boolean {
    return isPublic(address) || this.includes(address);
  }
}
