import { MAX_BODY_CHARACTERS, REQUESTS_PER_MINUTE } from './constants.ts';

/**
 * The stable error codes and their statuses. API Gateway's own responses and the handlers' responses both derive from
 * this table, so that every layer sends the same error body.
 */
export const ERRORS = {
  missing_parameter: { status: 400, when: 'a required parameter is missing' },
  invalid_parameter: { status: 400, when: 'a parameter is malformed' },
  unknown_parameter: {
    status: 400,
    when: 'a parameter is nearly one of this endpoint, or belongs to a similar endpoint',
  },
  bad_request: { status: 400, when: 'the request itself is malformed' },
  missing_api_key: {
    status: 403,
    when: 'the request goes directly to API Gateway and has no valid API key',
  },
  not_found: { status: 404, when: 'the path does not exist' },
  no_market: { status: 404, when: 'no market has this id, slug or token' },
  no_event: { status: 404, when: 'no event with open markets has this slug' },
  no_order_book: { status: 404, when: 'the upstream has no order book for the token' },
  method_not_allowed: { status: 405, when: 'the endpoint does not support the method' },
  snapshot_gone: {
    status: 410,
    when: 'the snapshot of a link or of `since` has expired, or the changes since then do not fit into one response',
  },
  body_too_large: { status: 413, when: `a POST has a body of more than ${MAX_BODY_CHARACTERS} characters` },
  rate_limited: {
    status: 429,
    when: `more than ${REQUESTS_PER_MINUTE} requests in a minute from one IP address, or the plan is exhausted`,
  },
  internal_error: { status: 500, when: 'an unexpected error' },
  snapshot_stale: { status: 502, when: 'the newest market data is older than its freshness limit' },
  snapshot_missing: { status: 502, when: 'there is no market data yet, or the service cannot read it' },
  upstream_unavailable: { status: 502, when: 'the upstream rejects the call, fails or times out' },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The error of a client that exceeds the limit per client. A handler or the web ACL sends it. */
export const PER_IP_REFUSAL =
  'Your IP address has made too many requests in the last minute. Wait 60 seconds and try again.';

/** The body of every error response. */
export interface ErrorBody {
  /** One sentence that says what to do. */
  readonly error: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}
