import { codeOf } from '../error-message.ts';

/** Why the HTTP parser refused what came in. */
export type UnreadableCause = 'malformed' | 'headers_too_large' | 'timeout';

/** The cause of a server's `clientError`. */
export function unreadableCause(error: unknown): UnreadableCause {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timeout' : 'malformed';
}
