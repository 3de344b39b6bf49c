import type { ErrorCode } from '../contract/errors.ts';
import { ServiceError } from '../domain/service-error.ts';

/** What to do about an error, for a model: the sentence of the error says what is wrong. */
const NEXT: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_parameter: 'Call again with this argument.',
  invalid_parameter: 'Correct the argument and call again.',
  not_found: 'Find what is open with search_markets, and use the id or slug it gives.',
  no_market: 'Find open markets with search_markets, and use an id or slug it gives.',
  no_event: 'Find the slug with get_market (eventSlug) or search_markets with fields eventSlug.',
  no_order_book:
    'Take a clobTokenId from search_markets or list_markets; the market of this token may be closed.',
  snapshot_gone: 'Call again without a snapshot.',
  snapshot_stale:
    'Tell the user that the data is too old to use, and try again in a minute; market_status tells the age.',
  snapshot_missing: 'Try again in a minute; market_status tells when there is data.',
  upstream_unavailable: 'Try again in a few seconds; list_markets has the last known prices.',
  rate_limited: 'Wait a minute before the next call.',
};

/** What a tool says when it fails, or undefined for a failure that is not for the model to know. */
export function toolError(error: unknown): string {
  if (!(error instanceof ServiceError)) return 'Something went wrong on our side. Try again in a moment.';
  return [error.message, NEXT[error.code]].filter(Boolean).join(' ');
}
