/**
 * What every request passes: the method, the parameters, the rate limit, the endpoint, and the form
 * of API Gateway's events and results.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MAX_BODY_CHARACTERS } from '../core/contract/constants.ts';
import { ERRORS, PER_IP_REFUSAL } from '../core/contract/errors.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from '../core/contract/headers.ts';
import { ROUTES, type RouteName } from '../core/contract/route-table.ts';
import { allowedMethods, methodsOf } from '../core/contract/route-type.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import { SECOND_MS, type UnixMs } from '../core/domain/time.ts';
import { type Clock, systemClock } from '../io/platform/clock.ts';
import { type Log, requestIds, type ServiceMetrics } from '../io/platform/telemetry.ts';
import { type Decision, type RateLimiter, resetSeconds } from '../io/rate-limit/rate-limiter.ts';
import { LIMIT_WINDOW_MS } from '../io/rate-limit/request-window.ts';
import { type CallerRules, cameThroughFrontDoor, limitedAddress, siteOf } from './caller.ts';
import { errorLog, errorResponse } from './error-response.ts';
import {
  type ParametersOf,
  parseParameters,
  type Query,
  sentParameters,
} from './parse-parameters.ts';
import type { HttpResponse } from './response.ts';

/** What an endpoint gets of a request. */
export interface EndpointRequest<R extends RouteName> {
  readonly parameters: ParametersOf<R>;
  /** The route's parameters as the caller sent them, for links. */
  readonly sent: Readonly<Record<string, string>>;
  /** Lower-case names. Repeated values are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path as the caller wrote it, for links. */
  readonly path: string;
  /** The address of the service, if CloudFront sent the request. */
  readonly site?: string | undefined;
  /** The decoded body of a POST. */
  readonly body?: string;
}

/** The logic of a route. It throws a ServiceError for an error that the caller should see. */
export type Endpoint<R extends RouteName> = (
  request: EndpointRequest<R>,
) => Promise<HttpResponse> | HttpResponse;

/** The rate limit of a route. */
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

/** The routes whose requests the rate limit counts. */
export type LimitedRoute = {
  [R in RouteName]: (typeof ROUTES)[R]['limited'] extends true ? R : never;
}[RouteName];

/** A handler as API Gateway calls it. It responds even to errors. */
export type Handler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * Makes the handler of a route: it parses the request, checks the rate limit while the endpoint
 * runs, and turns errors into responses. The overloads let the compiler require `rateLimit` for
 * exactly the limited routes.
 */
export function pipeline<R extends LimitedRoute>(options: LimitedPipelineOptions<R>): Handler;
export function pipeline<R extends Exclude<RouteName, LimitedRoute>>(
  options: PipelineOptions<R>,
): Handler;
export function pipeline<R extends RouteName>(
  options: PipelineOptions<R> & Partial<LimitedPipelineOptions<R>>,
): Handler {
  const { route, logger, metrics, endpoint, callers, rateLimit, clock = systemClock } = options;
  const log = errorLog(logger, clock);
  const methods = methodsOf(ROUTES[route]);
  /** Returns the endpoint's response, or that of its error. */
  const respond = async (event: APIGatewayProxyEvent): Promise<HttpResponse> => {
    try {
      checkMethod(methods, event);
      return await endpoint(endpointRequest(route, event, rateLimit?.callers ?? callers));
    } catch (error) {
      log(error);
      const response = errorResponse(
        error,
        event.requestContext.requestId,
        allowedMethods(ROUTES[route]),
      );
      if (response.status === ERRORS.internal_error.status) {
        metrics.add('InternalErrors', 1);
        metrics.flush();
      }
      return response;
    }
  };
  return async (event) => {
    const { requestId } = event.requestContext;
    // A CORS preflight. CloudFront and the local server respond to these; API Gateway forwards them.
    if (event.httpMethod === 'OPTIONS') {
      return gatewayResult({ status: 204, body: '', headers: PREFLIGHT_HEADERS }, event);
    }
    const response = await requestIds.run(requestId, () =>
      rateLimit ? limited(rateLimit, event, clock, () => respond(event)) : respond(event),
    );
    return gatewayResult(response, event);
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

/** The response in the form of API Gateway, with the headers of all responses. */
function gatewayResult(
  response: HttpResponse,
  { httpMethod, requestContext }: APIGatewayProxyEvent,
) {
  const { status, headers, body, isBase64Encoded } = response;
  const common = {
    ...COMMON_HEADERS,
    Vary: 'Accept-Encoding',
    'X-Request-Id': requestContext.requestId,
  };
  return {
    statusCode: status,
    headers: { ...common, ...headers },
    body: httpMethod === 'HEAD' ? '' : body,
    ...(isBase64Encoded ? { isBase64Encoded } : {}),
  };
}

/**
 * Responds to a request of a limited route. Runs check and endpoint in parallel, so that the check
 * adds no latency. Requests that are not GET or HEAD wait for it, because most are rejected anyway.
 *
 * @param respond never rejects
 */
async function limited(
  { callers, limiter }: CallerLimit,
  event: APIGatewayProxyEvent,
  clock: Pick<Clock, 'now'>,
  respond: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const address = limitedAddress(event, callers);
  if (!limiter || address === undefined) return await respond();
  const refusal = limiter.immediateRefusal(address);
  const checking = refusal ?? limiter.check(address);
  const isRead = event.httpMethod === 'GET' || event.httpMethod === 'HEAD';
  const responding = isRead && !refusal ? respond() : undefined;
  // Undefined if the limiter cannot decide: then the request is served.
  const decision = await checking;
  const isRefused = decision?.allowed === false;
  const response = isRefused ? refusedResponse(event) : await (responding ?? respond());
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

/** What the endpoint gets of an event. @throws ServiceError (400) for a wrong parameter */
function endpointRequest<R extends RouteName>(
  route: R,
  event: APIGatewayProxyEvent,
  callers: CallerRules | undefined,
): EndpointRequest<R> {
  const query = event.multiValueQueryStringParameters as Query;
  // Callers of API Gateway's own address write the stage in the path, which `event.path` lacks.
  const isDirect = callers && !cameThroughFrontDoor(event, callers);
  return {
    parameters: parseParameters(route, query, event.pathParameters),
    sent: sentParameters(route, query),
    headers: lowerCaseHeaders(event),
    site: callers && siteOf(event, callers),
    path: isDirect ? event.requestContext.path : event.path,
    ...(event.httpMethod === 'POST' ? { body: decodedBody(event) } : {}),
  };
}

/**
 * Rejects methods that the route does not have, and bodies of POST that are too long, even if the
 * route has no POST.
 *
 * @throws ServiceError `body_too_large` (413) or `method_not_allowed` (405)
 */
function checkMethod(methods: readonly string[], event: APIGatewayProxyEvent): void {
  if (event.httpMethod === 'POST' && isBodyTooLong(event)) {
    const advice = methods.includes('POST')
      ? 'Send a smaller request.'
      : 'Use GET for this endpoint.';
    const limit = `The body of a POST may have at most ${MAX_BODY_CHARACTERS} characters.`;
    throw new ServiceError('body_too_large', `${limit} ${advice}`);
  }
  if (methods.includes(event.httpMethod)) return;
  const sentence = `This endpoint does not support ${event.httpMethod}. Use ${methods[0]}.`;
  throw new ServiceError('method_not_allowed', sentence);
}

/**
 * Whether the body has too many characters (Unicode code points). A huge body is not decoded,
 * because its length alone decides: a character has at most two UTF-16 units or four bytes.
 */
function isBodyTooLong(event: APIGatewayProxyEvent): boolean {
  const { length } = event.body ?? '';
  // Four characters of base64 are three bytes, except for up to two bytes of padding at the end.
  const minBytes = length * (3 / 4) - 2;
  const minCharacters = event.isBase64Encoded ? minBytes / 4 : length / 2;
  if (minCharacters > MAX_BODY_CHARACTERS) return true;
  return [...decodedBody(event)].length > MAX_BODY_CHARACTERS;
}

function decodedBody({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  const sent = body ?? '';
  return isBase64Encoded ? Buffer.from(sent, 'base64').toString('utf8') : sent;
}

/** The headers with lower-case names. API Gateway sends all values only in `multiValueHeaders`. */
function lowerCaseHeaders({
  headers,
  multiValueHeaders,
}: APIGatewayProxyEvent): Record<string, string> {
  const sent: Readonly<Record<string, string | readonly string[] | undefined>> = {
    ...headers,
    ...multiValueHeaders,
  };
  const entries = Object.entries(sent).map(([name, value]) => {
    const values = [value ?? ''].flat();
    return [name.toLowerCase(), values.join(', ')];
  });
  return Object.fromEntries(entries);
}
