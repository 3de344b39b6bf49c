import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { ERRORS, type ErrorCode } from '../../lambda/contract/errors.ts';
import { COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../../lambda/contract/headers.ts';

interface GatewayReply {
  readonly code: ErrorCode;
  readonly error: string;
  /** API Gateway's own status is kept where none is set: a status on DEFAULT_4XX would rewrite every 4xx. */
  readonly keepStatus?: true;
}

const BUSY = 'Too many requests at the moment: wait 60 seconds and try again.';
const NOTHING_HERE: GatewayReply = {
  code: 'not_found',
  error: 'There is nothing at this path; /openapi.json lists the endpoints.',
};
const INTERNAL = 'Something went wrong on our side; try again in a moment.';

/** What API Gateway responds by itself, in the form of design 2.3. An unknown path is a "missing token" to it. */
const REPLIES: readonly (readonly [ResponseType, GatewayReply])[] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, NOTHING_HERE],
  [ResponseType.RESOURCE_NOT_FOUND, NOTHING_HERE],
  [
    ResponseType.INVALID_API_KEY,
    { code: 'missing_api_key', error: 'Call the public address, or send a valid key in x-api-key.' },
  ],
  [ResponseType.THROTTLED, { code: 'rate_limited', error: BUSY }],
  [
    ResponseType.QUOTA_EXCEEDED,
    {
      code: 'rate_limited',
      error:
        'The quota of this key is used up until it begins anew (the public one at 00:00 UTC); ask the operator for a larger one.',
    },
  ],
  [
    ResponseType.REQUEST_TOO_LARGE,
    { code: 'body_too_large', error: 'The body of the request is too large.' },
  ],
  [ResponseType.INTEGRATION_FAILURE, { code: 'internal_error', error: INTERNAL }],
  [ResponseType.INTEGRATION_TIMEOUT, { code: 'internal_error', error: INTERNAL }],
  [ResponseType.DEFAULT_5XX, { code: 'internal_error', error: INTERNAL }],
  [
    ResponseType.DEFAULT_4XX,
    {
      code: 'bad_request',
      error: 'The request cannot be read; /openapi.json describes the endpoints.',
      keepStatus: true,
    },
  ],
];

/** Gives API Gateway's own responses the error body and the headers of every other response. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, { code, error, keepStatus }] of REPLIES) {
    const { status } = ERRORS[code];
    api.addGatewayResponse(`Gateway-${type.responseType}`, {
      type,
      ...(keepStatus ? {} : { statusCode: String(status) }),
      responseHeaders: {
        ...quoted({ ...COMMON_HEADERS, ...ERROR_HEADERS, ...(status === 429 ? RETRY_HEADERS : {}) }),
        'X-Request-Id': 'context.requestId',
      },
      templates: {
        'application/json': `{"error":${JSON.stringify(error)},"code":"${code}","requestId":"$context.requestId"}`,
      },
    });
  }
}

/** Constants of a header mapping stand in single quotes. */
function quoted(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
}
