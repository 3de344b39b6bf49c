/**
 * The way of every request through the service: the rate limit, the checks of its method and
 * parameters, its endpoint (the logic of its route), and the conversion of errors to responses.
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

/** The handler of a route as API Gateway calls it. It responds even to errors. */
export type Handler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** What the handler of a route uses. */
interface PipelineOptions<R extends RouteName> extends LimitOptions {
  readonly route: R;
  readonly endpoint: Endpoint<R>;
  readonly logger: Pick<Log, 'error' | 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
}

/** What decides whether a request exceeds the rate limit. */
interface LimitOptions {
  /** How the limit and links tell callers apart. */
  readonly callers: CallerRules;
  /** Counts the requests of each address. Undefined: the limit is off, or does not count the route. */
  readonly limiter: Pick<RateLimiter, 'limit' | 'immediateRefusal' | 'check'> | undefined;
  /** @default that of the system */
  readonly clock?: Pick<Clock, 'now'>;
}

/** Returns the response to an event. Never rejects. */
type Responder = (event: APIGatewayProxyEvent) => Promise<HttpResponse>;

/** Makes the handler of a route. */
export function pipeline<R extends RouteName>(options: PipelineOptions<R>): Handler {
  const respond = responder(options, errorLog(options.logger, options.clock ?? systemClock));
  return async (event) => {
    // A CORS preflight. CloudFront and the local server respond to these; API Gateway forwards them.
    if (event.httpMethod === 'OPTIONS') {
      return gatewayResult({ status: 204, body: '', headers: PREFLIGHT_HEADERS }, event);
    }
    const response = await requestIds.run(event.requestContext.requestId, () =>
      respondWithinLimit(options, event, respond),
    );
    return gatewayResult(response, event);
  };
}

/** Makes the responder of a route: it returns the endpoint's response, or that of its error. */
function responder<R extends RouteName>(
  { route, metrics, endpoint, callers }: PipelineOptions<R>,
  log: ErrorLog,
): Responder {
  return async (event) => {
    try {
      checkMethod(route, event);
      return await endpoint(endpointRequest(route, event, callers));
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
 * Responds to a request, with a 429 if its address has sent too many. The endpoint runs while the
 * limiter decides, so that the limit adds no latency. Only requests that are not GET or HEAD wait,
 * because most of them are rejected anyway.
 */
async function respondWithinLimit(
  { callers, limiter, clock = systemClock }: LimitOptions,
  event: APIGatewayProxyEvent,
  respond: Responder,
): Promise<HttpResponse> {
  const address = limitedAddress(event, callers);
  if (!limiter || address === undefined) return await respond(event);
  const refusal = limiter.immediateRefusal(address);
  const checking = refusal ?? limiter.check(address);
  const isRead = event.httpMethod === 'GET' || event.httpMethod === 'HEAD';
  const early = isRead && !refusal ? respond(event) : undefined;
  // Undefined if the limiter cannot decide: then the request is served.
  const decision = await checking;
  const isRefused = decision?.allowed === false;
  const response = isRefused ? refusedResponse(event) : await (early ?? respond(event));
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
 * Makes the handler of a function with several routes, from the handlers of the routes. API Gateway
 * names the route of a request by its path, in `resource`.
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
