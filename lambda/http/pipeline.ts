import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MAX_BODY_CHARACTERS } from '../contract/constants.ts';
import { allowedMethods, methodsOf } from '../contract/route.ts';
import { ROUTES, type RouteName } from '../contract/routes.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { withRequestId } from '../platform/request-context.ts';
import { pathOf } from './caller.ts';
import { errorLog } from './error-log.ts';
import { type ParametersOf, parseParameters, type Query, sentParameters } from './parameters.ts';
import { type CallerLimit, rateLimited } from './rate-limit-middleware.ts';
import { errorResponse, type HttpResponse, toResult } from './response.ts';

/** A request as an endpoint sees it. */
export interface EndpointRequest<R extends RouteName> {
  readonly parameters: ParametersOf<R>;
  /** The query's parameters that the route knows, as they were sent, for links. */
  readonly sent: Readonly<Record<string, string>>;
  /** Names in lower case; a header that was sent several times is one list. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path as the caller wrote it, for links. */
  readonly path: string;
  /** Decoded; only an endpoint that is called with POST has one. */
  readonly body?: string;
}

/** A use case behind a route. Its errors become responses in the pipeline. */
export type Endpoint<R extends RouteName> = (
  request: EndpointRequest<R>,
) => Promise<HttpResponse> | HttpResponse;

interface CommonOptions<R extends RouteName> {
  readonly route: R;
  readonly logger: Log;
  readonly endpoint: Endpoint<R>;
  /** @default the system's */
  readonly clock?: Clock;
}

/** A counted route without its limit does not compile; nor does a free one with it. */
export type PipelineOptions<R extends RouteName> = CommonOptions<R> &
  ((typeof ROUTES)[R]['counted'] extends true
    ? { readonly rateLimit: CallerLimit }
    : { readonly rateLimit?: never });

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * The pipeline of every endpoint: the rate limit and, concurrently, method, parameters and the endpoint itself; and
 * one form for errors (docs/adr/0020-own-http-pipeline.md).
 */
export function pipeline<R extends RouteName>(options: PipelineOptions<R>): Handler {
  const {
    route,
    logger,
    endpoint,
    rateLimit,
    clock = systemClock,
  }: CommonOptions<R> & { readonly rateLimit?: CallerLimit } = options;
  const log = errorLog(logger, clock);
  const respond = async (event: APIGatewayProxyEvent): Promise<HttpResponse> => {
    refuseOtherMethods(route, event);
    const query = event.multiValueQueryStringParameters as Query;
    return await endpoint({
      parameters: parseParameters(route, query, event.pathParameters),
      sent: sentParameters(route, query),
      headers: lowerCased(event),
      // Free routes have no links.
      path: rateLimit ? pathOf(event, rateLimit.callers) : event.path,
      ...(event.httpMethod === 'POST' ? { body: decodedBody(event) } : {}),
    });
  };
  const respondOrFail = async (event: APIGatewayProxyEvent): Promise<HttpResponse> => {
    try {
      return await respond(event);
    } catch (error) {
      log(error, { requestId: event.requestContext.requestId });
      return errorResponse(error, event.requestContext.requestId, allowedMethods(ROUTES[route]));
    }
  };
  return async (event) => {
    const { requestId } = event.requestContext;
    const run = () => withRequestId(requestId, () => respondOrFail(event));
    const response = rateLimit ? await rateLimited(rateLimit, event, run) : await run();
    return toResult(response, event.requestContext.requestId, event.httpMethod === 'HEAD');
  };
}

/** The handler of a function behind several endpoints: API Gateway says which resource a request has reached. */
export function byResource<R extends RouteName>(
  routes: readonly R[],
  handlerOf: (route: R) => Handler,
): Handler {
  const handlers = new Map<string, Handler>(routes.map((route) => [ROUTES[route].path, handlerOf(route)]));
  return async (event, context) => {
    const handler = handlers.get(event.resource);
    if (!handler) throw new Error(`No endpoint here is ${event.resource}`);
    return await handler(event, context);
  };
}

/** @throws ServiceError `body_too_large` (413) or `method_not_allowed` (405) */
function refuseOtherMethods(route: RouteName, event: APIGatewayProxyEvent): void {
  const methods: readonly string[] = methodsOf(ROUTES[route]);
  if (event.httpMethod === 'POST' && isTooLong(event)) {
    const otherwise = methods.includes('POST') ? 'ask for less at once' : 'this endpoint is read with GET';
    throw new ServiceError(
      'body_too_large',
      `The body of a POST may have at most ${MAX_BODY_CHARACTERS} characters: ${otherwise}.`,
    );
  }
  if (methods.includes(event.httpMethod)) return;
  throw new ServiceError(
    'method_not_allowed',
    `Use ${methods[0]}: ${event.httpMethod} is not a method of this endpoint.`,
  );
}

/**
 * Whether the decoded body has more characters (Unicode code points) than one may have. A character takes at most two
 * UTF-16 units, or four bytes: of a body that is too long by that measure nothing but the length is looked at.
 */
function isTooLong({ body, isBase64Encoded }: APIGatewayProxyEvent): boolean {
  const sent = body ?? '';
  const atLeast = isBase64Encoded ? (sent.length * 0.75 - 2) / 4 : sent.length / 2;
  if (atLeast > MAX_BODY_CHARACTERS) return true;
  const text = isBase64Encoded ? Buffer.from(sent, 'base64').toString('utf8') : sent;
  return [...text].length > MAX_BODY_CHARACTERS;
}

function decodedBody({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  const text = body ?? '';
  return isBase64Encoded ? Buffer.from(text, 'base64').toString('utf8') : text;
}

function lowerCased({ headers, multiValueHeaders }: APIGatewayProxyEvent): Record<string, string> {
  const sent: Readonly<Record<string, string | readonly string[] | undefined>> = {
    ...headers,
    ...multiValueHeaders,
  };
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}
