import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PER_IP_REFUSAL } from '../contract/errors.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type RateLimitResult, resetSeconds, WINDOW_MS } from '../rate-limit/sliding-window.ts';
import { type CallerRules, callerOf } from './caller.ts';
import type { LargeBodies } from './large-bodies.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** How a counted endpoint knows and limits its callers. */
export interface CallerLimit {
  readonly callers: CallerRules;
  /** Undefined where nobody is limited. */
  readonly limiter: RateLimiter | undefined;
  /** @default none */
  readonly largeBodies?: LargeBodies;
  readonly now: () => number;
}

type Headers = Readonly<Record<string, string>>;

const POLICY = 'per-ip';

/**
 * Checks the rate limit and runs the endpoint concurrently, so the check adds no latency. A refusal is returned at
 * once: the endpoint is not waited for, and where this container remembers the refusal it is not even begun. What is
 * no read runs after the check, since nothing but a refusal of another kind comes of it. Partners
 * are bounded by their plan and not counted. Every response to a counted caller carries the RateLimit headers of the
 * IETF draft.
 *
 * @param run the endpoint; never rejects
 */
export async function rateLimited(
  { callers, limiter, largeBodies, now }: CallerLimit,
  event: APIGatewayProxyEvent,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const caller = callerOf(event, callers);
  if (!limiter || caller.kind === 'partner') return await run();
  const known = limiter.cachedRefusal(caller.client);
  if (known) return refusal(event, rateLimitHeaders(limiter, known, now()));
  const checking = limiter.check(caller.client);
  const running = isRead(event) ? run() : undefined;
  const result = await checking;
  const headers = rateLimitHeaders(limiter, result, now());
  if (result?.allowed === false) return refusal(event, headers);
  const response = await (running ?? run());
  const tooLarge = largeBodies?.take(sentBody(event, response), acceptEncodingOf(event), requestIdOf(event));
  return withHeaders(tooLarge ? errorResponse(tooLarge, requestIdOf(event)) : response, headers);
}

function sentBody({ httpMethod }: APIGatewayProxyEvent, { body }: HttpResponse): string {
  return httpMethod === 'HEAD' ? '' : body;
}

function acceptEncodingOf({ headers }: APIGatewayProxyEvent): string | undefined {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1];
}

function requestIdOf({ requestContext }: APIGatewayProxyEvent): string {
  return requestContext.requestId;
}

function isRead({ httpMethod }: APIGatewayProxyEvent): boolean {
  return httpMethod === 'GET' || httpMethod === 'HEAD';
}

/** Without a result there is still a limit, but nothing is known of what is left. */
function rateLimitHeaders(limiter: RateLimiter, result: RateLimitResult | undefined, now: number): Headers {
  const policy = { 'RateLimit-Policy': `"${POLICY}";q=${limiter.limit};w=${WINDOW_MS / 1_000}` };
  if (!result) return policy;
  return { ...policy, RateLimit: `"${POLICY}";r=${result.remaining};t=${resetSeconds(result, now)}` };
}

function refusal(event: APIGatewayProxyEvent, headers: Headers): HttpResponse {
  const error = new ServiceError('rate_limited', PER_IP_REFUSAL);
  return withHeaders(errorResponse(error, requestIdOf(event)), headers);
}

function withHeaders(response: HttpResponse, headers: Headers): HttpResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
