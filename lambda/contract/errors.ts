import { MAX_BODY_CHARACTERS, REQUESTS_PER_MINUTE } from './constants.ts';

/**
 * The stable error codes and their statuses (design 2.3). API Gateway's own responses and the handlers' responses
 * both come from this table, so that a caller sees one error shape whatever layer refused.
 */
export const ERRORS = {
  missing_parameter: { status: 400, when: 'a required parameter is missing' },
  invalid_parameter: { status: 400, when: 'a parameter is malformed' },
  bad_request: { status: 400, when: 'the request itself cannot be read' },
  missing_api_key: { status: 403, when: 'the call goes around the front door: no valid API key' },
  not_found: { status: 404, when: 'no such path' },
  no_market: { status: 404, when: 'no open market has this id, slug or token' },
  no_event: { status: 404, when: 'no event with open markets has this slug' },
  no_order_book: { status: 404, when: 'the upstream has no order book for the token' },
  method_not_allowed: { status: 405, when: 'a method other than GET, HEAD and OPTIONS' },
  snapshot_gone: {
    status: 410,
    when: 'the snapshot of a link or of `since` is no longer kept, or cannot be used any more; or more has changed since than one response can hold',
  },
  body_too_large: { status: 413, when: `a POST with more than ${MAX_BODY_CHARACTERS} characters of body` },
  rate_limited: {
    status: 429,
    when: `more than ${REQUESTS_PER_MINUTE} requests in a minute from one IP, or the plan is exhausted`,
  },
  internal_error: { status: 500, when: 'anything unexpected' },
  snapshot_stale: { status: 502, when: 'the newest market data is older than its freshness limit' },
  snapshot_missing: { status: 502, when: 'there is no market data yet, or it cannot be read at the moment' },
  upstream_unavailable: { status: 502, when: 'the order book upstream refused, failed or timed out' },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What a caller over the per-IP limit is told, whichever layer counted. */
export const PER_IP_REFUSAL =
  'Your address has made all the requests it may make in a minute: wait 60 seconds and try again.';

/** The body of every error response. */
export interface ErrorBody {
  /** One sentence a person can act on. */
  readonly error: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}
