/**
 * What an endpoint (the logic of a route) gets and returns. Translates events of API Gateway into
 * requests of endpoints, and their responses into results of API Gateway.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { MAX_BODY_CHARACTERS } from '../core/contract/constants.ts';
import { COMMON_HEADERS } from '../core/contract/headers.ts';
import { ROUTES, type RouteName } from '../core/contract/route-table.ts';
import { methodsOf } from '../core/contract/route-type.ts';
import { ServiceError } from '../core/domain/service-error.ts';
import { type CallerRules, cameThroughFrontDoor, siteOf } from './caller.ts';
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

/**
 * Makes the request of an endpoint from an event of API Gateway.
 *
 * @throws ServiceError (400) for a wrong parameter
 */
export function endpointRequest<R extends RouteName>(
  route: R,
  event: APIGatewayProxyEvent,
  callers: CallerRules,
): EndpointRequest<R> {
  const query = event.multiValueQueryStringParameters as Query;
  // Callers of API Gateway's own address write the stage in the path, which `event.path` lacks.
  const isDirect = !cameThroughFrontDoor(event, callers);
  return {
    parameters: parseParameters(route, query, event.pathParameters),
    sent: sentParameters(route, query),
    headers: lowerCaseHeaders(event),
    site: siteOf(event, callers),
    path: isDirect ? event.requestContext.path : event.path,
    ...(event.httpMethod === 'POST' ? { body: decodedBody(event) } : {}),
  };
}

/**
 * Checks the method of a request. Rejects methods that the route does not have, and bodies of POST
 * that are too long, even if the route has no POST.
 *
 * @throws ServiceError `body_too_large` (413) or `method_not_allowed` (405)
 */
export function checkMethod(route: RouteName, event: APIGatewayProxyEvent): void {
  const methods: readonly string[] = methodsOf(ROUTES[route]);
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

/** A character (Unicode code point) has at most four bytes, which are less than 6 in base64. */
const MAX_LENGTH_OF_CHARACTER = 6;

/** Whether the body has too many characters. A huge body is not decoded: its length decides. */
function isBodyTooLong(event: APIGatewayProxyEvent): boolean {
  const { length } = event.body ?? '';
  if (length > MAX_LENGTH_OF_CHARACTER * MAX_BODY_CHARACTERS) return true;
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
  const lowerCase: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent))
    lowerCase[name.toLowerCase()] = [value ?? ''].flat().join(', ');
  return lowerCase;
}

/** The response in the form of API Gateway, with the headers of all responses. */
export function gatewayResult(
  response: HttpResponse,
  { httpMethod, requestContext }: APIGatewayProxyEvent,
): APIGatewayProxyResult {
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
