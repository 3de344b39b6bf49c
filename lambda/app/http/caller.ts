import type { APIGatewayProxyEvent } from 'aws-lambda';
import ipaddr from 'ipaddr.js';

/** For the rate limit. */
type Caller =
  /** Has an API key, and is limited by its usage plan. */
  | { readonly kind: 'partner' }
  /** @property address what the limit per client counts by */
  | { readonly kind: 'anonymous'; readonly address: string };

/** Settings of the deployment, never part of a request. */
export interface CallerRules {
  /** CloudFront is in front of the API, and only it has the public key. */
  readonly frontDoor: boolean;
  /** One, or two while the key is being replaced. */
  readonly publicKeyIds: readonly string[];
}

/** The viewer function of CloudFront always sets these headers, so that callers cannot forge them through the front door. */
const VIEWER_IP = 'x-viewer-ip';
const VIEWER_ORIGIN = 'x-viewer-origin';

/**
 * The address is `x-viewer-ip` only if the request carries the front door's key, which no other caller has. Without a
 * front door every caller has that key. Otherwise, and if the header is not exactly one address, it is API Gateway's
 * address. `X-Forwarded-For` and `Forwarded` are never read: callers can forge them.
 */
export function callerOf(event: APIGatewayProxyEvent, rules: CallerRules): Caller {
  const { apiKeyId, sourceIp } = event.requestContext.identity;
  if (apiKeyId && !rules.publicKeyIds.includes(apiKeyId)) return { kind: 'partner' };
  const viewer = cameThroughFrontDoor(event, rules) ? viewerAddress(event) : undefined;
  return { kind: 'anonymous', address: viewer ?? clientAddress(sourceIp) ?? sourceIp };
}

/** For links, as the caller wrote it: the front door adds the stage, direct callers write it themselves. */
export function pathOf(event: APIGatewayProxyEvent, rules: CallerRules): string {
  return cameThroughFrontDoor(event, rules) ? event.path : event.requestContext.path;
}

/** Scheme and host of the address that the caller used. Through the front door, API Gateway sees another host. */
export function originOf(event: APIGatewayProxyEvent, rules: CallerRules): string {
  const [viewer] = cameThroughFrontDoor(event, rules) ? headerValues(event, VIEWER_ORIGIN) : [];
  return viewer ?? `https://${event.requestContext.domainName}`;
}

/**
 * An IPv4 address in decimal, even if mapped into IPv6; otherwise the /64 network, which one customer owns.
 *
 * @returns undefined if not an IP address
 */
function clientAddress(text: string): string | undefined {
  // ipaddr.js also reads octal and hexadecimal forms such as 0x7f.1, which no proxy writes.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function cameThroughFrontDoor(event: APIGatewayProxyEvent, { frontDoor, publicKeyIds }: CallerRules): boolean {
  const { apiKeyId } = event.requestContext.identity;
  return frontDoor && !!apiKeyId && publicKeyIds.includes(apiKeyId);
}

/** Undefined unless the header has exactly one address. */
function viewerAddress(event: APIGatewayProxyEvent): string | undefined {
  const [value, another] = headerValues(event, VIEWER_IP);
  return value === undefined || another !== undefined ? undefined : clientAddress(value);
}

function headerValues({ multiValueHeaders }: APIGatewayProxyEvent, header: string): readonly string[] {
  return Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, values]) => values ?? []);
}
