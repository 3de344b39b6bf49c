/**
 * Who sends a request, and which address the rate limit counts. A request comes
 * - through CloudFront, the "front door", which sends a public API key that no other caller has;
 * - from a partner, whose own key has a limit of its own in API Gateway;
 * - from anybody else, directly to API Gateway.
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import ipaddr from 'ipaddr.js';
import { EDGE_HEADERS } from '../core/contract/headers.ts';

/** Settings of the deployment, by which the service tells callers apart. */
export interface CallerRules {
  /** If true, CloudFront is in front of the API. If false, callers send the public key themselves. */
  readonly frontDoor: boolean;
  /** The ids of the public keys: one, or two while the key is being replaced. */
  readonly publicKeyIds: readonly string[];
}

/**
 * The address that the limit counts by: `x-viewer-ip` through the front door, if that is exactly
 * one address, otherwise API Gateway's. Callers can forge `X-Forwarded-For` and `Forwarded`.
 *
 * @returns undefined for a partner, who is not counted
 */
export function limitedAddress(
  event: APIGatewayProxyEvent,
  rules: CallerRules,
): string | undefined {
  const { apiKeyId, sourceIp } = event.requestContext.identity;
  if (apiKeyId && !rules.publicKeyIds.includes(apiKeyId)) return undefined;
  const viewer = edgeHeader(event, rules, EDGE_HEADERS.viewerAddress) ?? '';
  return limitKeyOf(viewer) ?? limitKeyOf(sourceIp) ?? sourceIp;
}

/**
 * The key that the limit counts by: an IPv4 address, even if mapped into IPv6; otherwise the /64
 * network, which one customer owns.
 *
 * @returns undefined if the text is not an address
 */
function limitKeyOf(text: string): string | undefined {
  // ipaddr.js also reads octal and hexadecimal forms such as 0x7f.1, which proxies never write.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Whether CloudFront forwarded the request. */
export function cameThroughFrontDoor(
  event: APIGatewayProxyEvent,
  { frontDoor, publicKeyIds }: CallerRules,
): boolean {
  const { apiKeyId } = event.requestContext.identity;
  return frontDoor && !!apiKeyId && publicKeyIds.includes(apiKeyId);
}

/** An https address of a host name, without a port and path. */
const SITE = /^https:\/\/([a-z0-9-]+\.)+[a-z]+$/;

/**
 * The address of the service as CloudFront knows it.
 *
 * @returns undefined for a request that bypassed CloudFront
 */
export function siteOf(event: APIGatewayProxyEvent, rules: CallerRules): string | undefined {
  const site = edgeHeader(event, rules, EDGE_HEADERS.site) ?? '';
  return SITE.test(site) ? site : undefined;
}

/**
 * The value of a header that CloudFront's viewer function always sets, so that callers cannot forge
 * it.
 *
 * @returns undefined for a request that bypassed CloudFront, or if there is not exactly one value
 */
function edgeHeader(
  event: APIGatewayProxyEvent,
  rules: CallerRules,
  header: string,
): string | undefined {
  if (!cameThroughFrontDoor(event, rules)) return undefined;
  const values = Object.entries(event.multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, sent]) => sent ?? []);
  return values.length === 1 ? values[0] : undefined;
}
