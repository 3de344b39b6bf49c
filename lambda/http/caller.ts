import type { APIGatewayProxyEvent } from 'aws-lambda';
import { countedAddress } from './ip-address.ts';

/** Who makes a request, as far as the limits care. */
export type Caller =
  /** Has a key of their own, and is bounded by its plan. */
  | { readonly kind: 'partner' }
  /** `address`: what the per-IP limit counts by. */
  | { readonly kind: 'anonymous'; readonly address: string };

/** How callers are told apart. */
export interface CallerRules {
  /** The id of the key that the front door adds. */
  readonly publicKeyId: string;
}

/** Set by CloudFront: `ip:port`, an IPv6 address without brackets. */
const VIEWER_ADDRESS = 'cloudfront-viewer-address';

/**
 * A header is believed only when the request came with the front door's own key, which nobody else has; otherwise,
 * and when the header is not what CloudFront writes, the address is the one that API Gateway saw. `X-Forwarded-For`
 * and `Forwarded` are never looked at: callers write into them what they like.
 */
export function callerOf(event: APIGatewayProxyEvent, { publicKeyId }: CallerRules): Caller {
  const { apiKeyId, sourceIp } = event.requestContext.identity;
  if (apiKeyId && apiKeyId !== publicKeyId) return { kind: 'partner' };
  const viewer = cameThroughFrontDoor(event, publicKeyId) ? viewerAddress(event) : undefined;
  return { kind: 'anonymous', address: viewer ?? countedAddress(sourceIp) ?? sourceIp };
}

/**
 * The path as the caller wrote it, for links: the front door puts the stage in front of it, and callers of API Gateway
 * itself write the stage themselves.
 */
export function pathOf(event: APIGatewayProxyEvent, rules: CallerRules | undefined): string {
  if (rules === undefined || cameThroughFrontDoor(event, rules.publicKeyId)) return event.path;
  return event.requestContext.path;
}

function cameThroughFrontDoor(event: APIGatewayProxyEvent, publicKeyId: string): boolean {
  return event.requestContext.identity.apiKeyId === publicKeyId;
}

/** Undefined when there is not exactly one value, or not an address and a port. */
function viewerAddress(event: APIGatewayProxyEvent): string | undefined {
  const [value, another] = Object.entries(event.multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === VIEWER_ADDRESS)
    .flatMap(([, values]) => values ?? []);
  if (value === undefined || another !== undefined) return undefined;
  const colon = value.lastIndexOf(':');
  const port = value.slice(colon + 1);
  return colon > 0 && /^\d{1,5}$/.test(port) ? countedAddress(value.slice(0, colon)) : undefined;
}
