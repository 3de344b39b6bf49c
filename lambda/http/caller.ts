import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ClientAddress } from '../rate-limit/rate-limiter.ts';
import { clientAddress } from './ip-address.ts';

/** Who makes a request, as far as the limits care. */
export type Caller =
  /** Has a key of their own, and is bounded by its plan. */
  | { readonly kind: 'partner' }
  /** `client`: what the per-IP limit counts by. */
  | { readonly kind: 'anonymous'; readonly client: ClientAddress };

/** How callers are told apart: settings of the deployment, never anything that a request says of itself. */
export interface CallerRules {
  /** Whether CloudFront stands before the API, and alone sends the public key. */
  readonly frontDoor: boolean;
  /** Ids of the keys of anonymous callers: one, or two while the key is being replaced. */
  readonly publicKeyIds: readonly string[];
}

/** Set by CloudFront: `ip:port`, an IPv6 address without brackets. */
const VIEWER_ADDRESS = 'cloudfront-viewer-address';

/** Of a function's environment. */
export interface CallerSettings {
  readonly FRONT_DOOR: boolean;
  readonly PUBLIC_API_KEY_IDS: readonly string[];
}

export function callerRules(settings: CallerSettings): CallerRules {
  return { frontDoor: settings.FRONT_DOOR, publicKeyIds: settings.PUBLIC_API_KEY_IDS };
}

/**
 * CloudFront's header is believed only where there is a front door and the request bears the front door's own key,
 * which nobody else has; otherwise, and when the header is not what CloudFront writes, the address is the one that
 * API Gateway saw. Without a front door every caller has the public key, so it proves nothing. `X-Forwarded-For` and
 * `Forwarded` are never looked at: callers write into them what they like.
 */
export function callerOf(event: APIGatewayProxyEvent, rules: CallerRules): Caller {
  const { apiKeyId, sourceIp } = event.requestContext.identity;
  if (apiKeyId && !rules.publicKeyIds.includes(apiKeyId)) return { kind: 'partner' };
  const viewer = cameThroughFrontDoor(event, rules) ? viewerAddress(event) : undefined;
  return { kind: 'anonymous', client: viewer ?? clientAddress(sourceIp) ?? { address: sourceIp } };
}

/**
 * The path as the caller wrote it, for links: the front door puts the stage in front of it, and callers of API Gateway
 * itself write the stage themselves.
 */
export function pathOf(event: APIGatewayProxyEvent, rules: CallerRules): string {
  return cameThroughFrontDoor(event, rules) ? event.path : event.requestContext.path;
}

function cameThroughFrontDoor(event: APIGatewayProxyEvent, rules: CallerRules): boolean {
  const { apiKeyId } = event.requestContext.identity;
  return rules.frontDoor && !!apiKeyId && rules.publicKeyIds.includes(apiKeyId);
}

/** Undefined when there is not exactly one value, or not an address and a port. */
function viewerAddress(event: APIGatewayProxyEvent): ClientAddress | undefined {
  const [value, another] = Object.entries(event.multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === VIEWER_ADDRESS)
    .flatMap(([, values]) => values ?? []);
  if (value === undefined || another !== undefined) return undefined;
  const colon = value.lastIndexOf(':');
  const port = value.slice(colon + 1);
  return colon > 0 && /^\d{1,5}$/.test(port) ? clientAddress(value.slice(0, colon)) : undefined;
}
