import type { ClientAddress } from '../rate-limit/rate-limiter.ts';

/** Groups of an IPv6 address that name a network a single customer is given at least: /64 (design 2.5). */
const SUBNET_GROUPS = 4;
/** … and at most: /48. */
const SITE_GROUPS = 3;
const GROUPS = 8;

/**
 * What an address is counted by: an IPv4 address as it is, also where it comes inside an IPv6 one; an IPv6 address by
 * its /64 in canonical form, since one customer has all of it, and more loosely by its /48.
 *
 * @returns undefined when the text is no IP address
 */
export function clientAddress(text: string): ClientAddress | undefined {
  const [address = ''] = text.split('%'); // a zone id says something about this machine only
  switch (isIP(address)) {
    case 4:
      return { address };
    case 6: {
      const groups = groupsOf(address);
      const mapped = mappedIpv4(groups);
      if (mapped !== undefined) return { address: mapped };
      return {
        address: `${groups.slice(0, SUBNET_GROUPS).map(hex).join(':')}::/64`,
        network: `${groups.slice(0, SITE_GROUPS).map(hex).join(':')}::/48`,
      };
    }
    default:
      return undefined;
  }
}

/** 4, 6, or 0. Node's sockets are loaded for it when the first caller is looked at: free routes do without (7 ms). */
function isIP(text: string): number {
  return process.getBuiltinModule('node:net').isIP(text);
}

/** The eight numbers. The URL standard's serializer knows every way to write an address and writes it in one. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: GROUPS - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** `::ffff:a.b.c.d` (RFC 4291, 2.5.5.2). */
function mappedIpv4(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function hex(group: number): string {
  return group.toString(16);
}
