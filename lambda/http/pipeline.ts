/**
 * What every request passes on its way to an endpoint and back: the checks of its method and
 * parameters, the rate limit, and the conversion of errors to responses.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ERRORS, PER_IP_REFUSAL } from '../core/contract/errors.ts';
import { PREFLIGHT_HEADERS } from '../core/contract/headers.ts';
import { ROUTES, type RouteName } from '../core/contract/route-table.ts';
import { allowedMethods } from '../core/contract/route-type.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import { SECOND_MS, type UnixMs } from '../core/domain/time.ts';
import { type Clock, systemClock } from '../io/platform/clock.ts';
import { type Log, requestIds, type ServiceMetrics } from '../io/platform/telemetry.ts';
import { type Decision, type RateLimiter, resetSeconds } from '../io/rate-limit/rate-limiter.ts';
import { LIMIT_WINDOW_MS } from '../io/rate-limit/request-window.ts';
import { type CallerRules, limitedAddress } from './caller.ts';
import { checkMethod, type Endpoint, endpointRequest, gatewayResult } from './endpoint.ts';
import { type ErrorLog, errorLog, errorResponse } from './error-response.ts';
import type { HttpResponse } from './response.ts';

/** The rate limit of a route: a number of requests per minute and address. */
interface CallerLimit {
  /** How the limit tells callers apart. */
  readonly callers: CallerRules;
  /** Undefined: the limit is off. */
  readonly limiter: Pick<RateLimiter, 'limit' | 'immediateRefusal' | 'check'> | undefined;
}

/** What the handler of a route uses. */
interface PipelineOptions<R extends RouteName> {
  readonly route: R;
  readonly logger: Pick<Log, 'error' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  readonly endpoint: Endpoint<R>;
  /** Only for a route without a rate limit: those of others are in `rateLimit`. */
  readonly callers?: CallerRules;
  /** @default that of the system */
  readonly clock?: Pick<Clock, 'now'>;
}

interface LimitedPipelineOptions<R extends RouteName> extends PipelineOptions<R> {
  readonly rateLimit: CallerLimit;
}

/** The routes whose requests the rate limit counts: `'list-markets' | 'get-market' | …`. */
export type LimitedRoute = {
  [R in RouteName]: (typeof ROUTES)[R]['limited'] extends true ? R : never;
}[RouteName];

/** A handler as API Gateway calls it. It responds even to errors. */
export type Handler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** The options of any route. */
type AnyPipelineOptions<R extends RouteName> = PipelineOptions<R> &
  Partial<LimitedPipelineOptions<R>>;

/**
 * Makes the handler of a route: it parses the request, checks the rate limit while the endpoint
 * runs, and turns errors into responses. The overloads let the compiler require `rateLimit` for
 * exactly the limited routes.
 */
export function pipeline<R extends LimitedRoute>(options: LimitedPipelineOptions<R>): Handler;
export function pipeline<R extends Exclude<RouteName, LimitedRoute>>(
  options: PipelineOptions<R>,
): Handler;
export function pipeline<R extends RouteName>(options: AnyPipelineOptions<R>): Handler {
  const { logger, rateLimit, clock = systemClock } = options;
  const respond = responder(options, errorLog(logger, clock));
  return async (event) => {
    // A CORS preflight. CloudFront and the local server respond to these; API Gateway forwards them.
    if (event.httpMethod === 'OPTIONS') {
      return gatewayResult({ status: 204, body: '', headers: PREFLIGHT_HEADERS }, event);
    }
    const response = await requestIds.run(event.requestContext.requestId, () =>
      rateLimit ? limited(rateLimit, event, clock, respond) : respond(event),
    );
    return gatewayResult(response, event);
  };
}

/** Returns the response to an event. Never rejects. */
type Responder = (event: APIGatewayProxyEvent) => Promise<HttpResponse>;

/** Makes the responder of a route: it returns the endpoint's response, or that of its error. */
function responder<R extends RouteName>(
  { route, metrics, endpoint, callers, rateLimit }: AnyPipelineOptions<R>,
  log: ErrorLog,
): Responder {
  return async (event) => {
    try {
      checkMethod(route, event);
      return await endpoint(endpointRequest(route, event, rateLimit?.callers ?? callers));
    } catch (error) {
      log(error);
      const { requestId } = event.requestContext;
      const response = errorResponse(error, requestId, allowedMethods(ROUTES[route]));
      if (response.status === ERRORS.internal_error.status) {
        metrics.add('InternalErrors', 1);
        metrics.flush();
      }
      return response;
    }
  };
}

/**
 * Responds to a request of a limited route. Runs check and endpoint in parallel, so that the check
 * adds no latency. Requests that are not GET or HEAD wait for it, because most are rejected anyway.
 */
async function limited(
  { callers, limiter }: CallerLimit,
  event: APIGatewayProxyEvent,
  clock: Pick<Clock, 'now'>,
  respond: Responder,
): Promise<HttpResponse> {
  const address = limitedAddress(event, callers);
  if (!limiter || address === undefined) return await respond(event);
  const refusal = limiter.immediateRefusal(address);
  const checking = refusal ?? limiter.check(address);
  const isRead = event.httpMethod === 'GET' || event.httpMethod === 'HEAD';
  const responding = isRead && !refusal ? respond(event) : undefined;
  // Undefined if the limiter cannot decide: then the request is served.
  const decision = await checking;
  const isRefused = decision?.allowed === false;
  const response = isRefused ? refusedResponse(event) : await (responding ?? respond(event));
  const headers = rateLimitHeaders(limiter.limit, decision, clock.now());
  return { ...response, headers: { ...response.headers, ...headers } };
}

function refusedResponse({ requestContext }: APIGatewayProxyEvent): HttpResponse {
  const error = new ServiceError('rate_limited', PER_IP_REFUSAL);
  return errorResponse(error, requestContext.requestId);
}

/** The `RateLimit` headers of the IETF draft. Without a decision, only the limit is known. */
function rateLimitHeaders(
  limit: number,
  decision: Decision | undefined,
  now: UnixMs,
): Record<string, string> {
  const policy = { 'RateLimit-Policy': `"per-ip";q=${limit};w=${LIMIT_WINDOW_MS / SECOND_MS}` };
  if (!decision) return policy;
  return {
    ...policy,
    RateLimit: `"per-ip";r=${decision.remaining};t=${resetSeconds(decision, now)}`,
  };
}

/**
 * Makes one handler for the routes of a function. API Gateway sends the route's path in `resource`.
 */
export function byResource<R extends RouteName>(
  routes: readonly R[],
  handlerOf: (route: R) => Handler,
): Handler {
  const handlers = new Map<string, Handler>(
    routes.map((route) => [ROUTES[route].path, handlerOf(route)]),
  );
  return async (event, context) => {
    const handler = handlers.get(event.resource);
    if (!handler) throw new Error(`This function has no endpoint ${event.resource}`);
    return await handler(event, context);
  };
}
