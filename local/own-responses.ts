import type { OwnResponses, UnreadableCause } from 'cdk-local';
import { COMMON_HEADERS, ERROR_HEADERS } from '../lambda/contract/headers.ts';

/** What is wrong with a request that cannot be read. */
const UNREADABLE: Readonly<Record<UnreadableCause, { status: number; error: string }>> = {
  malformed: { status: 400, error: 'The request is not valid HTTP/1.1.' },
  invalid_address: {
    status: 400,
    error: 'The request cannot be read: percent-encode what is not ASCII in its address.',
  },
  headers_too_large: { status: 431, error: 'The address and the headers are longer than 16 KB together.' },
  timeout: { status: 408, error: 'The request was not complete in time.' },
};

/** What this machine's front door says where no API Gateway is asked, in the shape of every error of the service. */
export const OWN_RESPONSES: OwnResponses = {
  starting: (requestId) =>
    errorResponse(
      503,
      { error: 'The service is starting.', code: 'starting', requestId },
      { 'Retry-After': '5' },
    ),
  unreadable: (cause, requestId) => {
    const { status, error } = UNREADABLE[cause];
    return errorResponse(status, { error, code: 'bad_request', requestId });
  },
};

function errorResponse(
  status: number,
  body: { readonly error: string; readonly code: string; readonly requestId: string },
  headers: Readonly<Record<string, string>> = {},
): ReturnType<OwnResponses['starting']> {
  return {
    status,
    headers: Object.entries({
      ...COMMON_HEADERS,
      ...ERROR_HEADERS,
      ...headers,
      'X-Request-Id': body.requestId,
    }),
    body: Buffer.from(JSON.stringify(body)),
  };
}
