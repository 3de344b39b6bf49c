import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MAX_BODY_CHARACTERS } from '../contract/constants.ts';
import type { ROUTES, RouteName } from '../contract/routes.ts';
import { ServiceError } from '../domain/service-error.ts';
import { pathOf } from './caller.ts';
import { type ParametersOf, parseParameters } from './parameters.ts';
import type { Access } from './rate-limit-middleware.ts';
import { gated } from './rate-limited.ts';
import { type Answer, errorAnswer, toResult } from './response.ts';

/** A request as an endpoint sees it. */
export interface EndpointRequest<R extends RouteName> {
  readonly parameters: ParametersOf<R>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path as the caller wrote it, for links. */
  readonly path: string;
}

interface CommonOptions<R extends RouteName> {
  readonly route: R;
  readonly logger: Logger;
  readonly answer: (request: EndpointRequest<R>) => Promise<Answer> | Answer;
}

/** A counted route without its limit does not compile; nor does a free one with it. */
export type EndpointOptions<R extends RouteName> = CommonOptions<R> &
  ((typeof ROUTES)[R]['counted'] extends true ? { readonly access: Access } : { readonly access?: never });

export type EndpointHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * The pipeline of every endpoint: the per-IP limit and, at the same time, method, parameters and the endpoint's own
 * work; and one form for errors.
 */
export function endpoint<R extends RouteName>(options: EndpointOptions<R>): EndpointHandler {
  const { route, logger, answer, access }: CommonOptions<R> & { readonly access?: Access } = options;
  const work = async (event: APIGatewayProxyEvent): Promise<Answer> => {
    refuseOtherMethods(event);
    return await answer({
      parameters: parseParameters(route, event.multiValueQueryStringParameters as never),
      headers: lowerCased(event.headers),
      path: pathOf(event, access?.publicKeyId),
    });
  };
  const answered = async (event: APIGatewayProxyEvent): Promise<Answer> => {
    try {
      return await work(event);
    } catch (error) {
      log(logger, error, event.requestContext.requestId);
      return errorAnswer(error, event.requestContext.requestId);
    }
  };
  return async (event) => {
    const { requestId } = event.requestContext;
    const result = await gated(access?.gate, event, () => answered(event));
    return toResult(result, requestId, event.httpMethod === 'HEAD');
  };
}

/** @throws ServiceError `body_too_large` (413) or `method_not_allowed` (405) */
function refuseOtherMethods(event: APIGatewayProxyEvent): void {
  if (event.httpMethod === 'GET' || event.httpMethod === 'HEAD') return;
  if (event.httpMethod === 'POST' && characters(event) > MAX_BODY_CHARACTERS) {
    throw new ServiceError(
      'body_too_large',
      `The body of a POST may have at most ${MAX_BODY_CHARACTERS} characters, and every endpoint is read with GET.`,
    );
  }
  throw new ServiceError(
    'method_not_allowed',
    `Use GET: ${event.httpMethod} is not a method of this endpoint.`,
  );
}

/** Characters of the decoded body (Unicode code points). */
function characters(event: APIGatewayProxyEvent): number {
  const body = event.body ?? '';
  const text = event.isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  return [...text].length;
}

function lowerCased(headers: APIGatewayProxyEvent['headers'] | null): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']),
  );
}

/** What the caller did wrong is his; what is ours or the upstream's goes to the log, with its cause. */
function log(logger: Logger, error: unknown, requestId: string): void {
  if (!(error instanceof ServiceError)) {
    logger.error('Unexpected error', { requestId, error: error as Error });
  } else if (error.cause !== undefined) {
    logger.warn('Answered with an error', { requestId, code: error.code, cause: String(error.cause) });
  }
}
