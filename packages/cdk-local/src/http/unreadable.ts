import { codeOf } from '../error-message.ts';

/** Why what came in cannot be read as a request: `invalid_address`, for instance, has raw UTF-8. */
export type UnreadableCause = 'malformed' | 'invalid_address' | 'headers_too_large' | 'timeout';

/** The cause of a server's `clientError`. */
export function unreadableCause(error: unknown): UnreadableCause {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'HPE_INVALID_URL') return 'invalid_address';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'malformed';
}
