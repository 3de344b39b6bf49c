import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MAX_BODY_CHARACTERS } from '../contract/limits.ts';
import type { RouteName } from '../contract/routes.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type Answer, errorAnswer, toResult } from './answers.ts';
import { type ParametersOf, parseParameters } from './parameters.ts';

/** A request as an endpoint sees it. */
export interface EndpointRequest<R extends RouteName> {
  readonly parameters: ParametersOf<R>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path as the caller wrote it, for links. */
  readonly path: string;
}

export interface EndpointOptions<R extends RouteName> {
  readonly route: R;
  readonly logger: Logger;
  readonly answer: (request: EndpointRequest<R>) => Promise<Answer> | Answer;
}

export type EndpointHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** The pipeline of every endpoint: method, parameters, the endpoint's own work, and one form for errors. */
export function endpoint<R extends RouteName>(options: EndpointOptions<R>): EndpointHandler {
  const { route, logger, answer } = options;
  return async (event) => {
    const { requestId } = event.requestContext;
    const work = async (): Promise<Answer> => {
      refuseOtherMethods(event);
      return await answer({
        parameters: parseParameters(route, event.multiValueQueryStringParameters as never),
        headers: lowerCased(event.headers),
        path: event.path,
      });
    };
    let result: Answer;
    try {
      result = await work();
    } catch (error) {
      log(logger, error, requestId);
      result = errorAnswer(error, requestId);
    }
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
