import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PER_IP_REFUSAL } from '../contract/errors.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type RateLimitResult, resetSeconds, WINDOW_MS } from '../rate-limit/sliding-window.ts';
import { type CallerRules, callerOf } from './caller.ts';
import { errorResponse, type HttpResponse } from './response.ts';

/** How a counted endpoint knows and limits its callers. */
export interface CallerLimit {
  readonly callers: CallerRules;
  /** Undefined where nobody is limited. */
  readonly limiter: RateLimiter | undefined;
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
  { callers, limiter, now }: CallerLimit,
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
  return result?.allowed === false ? refusal(event, headers) : withHeaders(await (running ?? run()), headers);
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
  return withHeaders(errorResponse(error, event.requestContext.requestId), headers);
}

function withHeaders(response: HttpResponse, headers: Headers): HttpResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
