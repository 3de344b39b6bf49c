/** The notice of the page: one sentence about the most important trouble. */
import { ApiError, type Status } from 'market-data-proxy-client';
import {
  QUERY_MAX_CHARACTERS,
  QUERY_MIN_CHARACTERS,
} from '../../../../lambda/core/contract/constants.ts';
import { age, clockTime } from '../format.ts';

/** The page's requests, as words in a sentence. */
const PARTS = {
  status: 'the state of the service',
  list: 'the list',
  updates: 'new prices',
  today: 'what moved',
  found: 'the events of the search',
  market: 'the market',
  history: 'the price history',
  siblings: 'the other outcomes',
  book: 'the order book',
  rules: 'the rules',
} as const;
export type ReadPart = keyof typeof PARTS;
/** The last error of each unreadable part. */
export type Failures = Readonly<Partial<Record<ReadPart, unknown>>>;

/** What the page knows of the service's rate limit. */
export interface RateLimitState {
  /** Unix ms; 0 if the service accepts requests. */
  readonly waitsUntil: number;
  /** Undefined before the first response, and without a limit. */
  readonly requestsLeft: number | undefined;
  readonly requestsAllowed: number | undefined;
}

/** What decides the notice. */
export interface NoticeInput {
  /** Unix ms. */
  readonly now: number;
  readonly online: boolean;
  readonly limit: RateLimitState;
  readonly status: Status | undefined;
  readonly failures: Failures;
  /** The time of the shown prices. */
  readonly asOf: Date | undefined;
  /** A search that is typed, but whose result is not shown yet. */
  readonly search?: string | undefined;
  /** Whether nothing has arrived for a while. */
  readonly slow: boolean;
}

/** What is wrong, from the most to the least important. */
type Trouble =
  | 'offline' // the browser has no network
  | 'limited' // the reader's address has used its requests of this minute
  | 'empty' // the service has no prices yet
  | 'stale' // the service has only old prices
  | 'network' // the service does not respond
  | 'unknown' // the service does not know the market
  | 'wrong' // the service rejects the list's query
  | 'upstream' // Polymarket does not respond
  | 'failed'; // another request failed

/** What the page says about its state: what is wrong, and what happens next. */
export interface Notice {
  readonly kind: Trouble | 'slow' | 'degraded';
  readonly what: string;
  /** The prices' age, if it matters. It changes every second, so screen readers do not hear it. */
  readonly age?: string | undefined;
  readonly next: string;
  /** The remaining wait; screen readers do not hear it. */
  readonly wait?: string;
  readonly action?: 'retry' | 'search' | 'all';
}

/** The interval in which the page repeats failed requests. */
export const RETRY_MS = 10_000;

/** What happens next, for several troubles. */
const RETRIES = `The page tries again every ${RETRY_MS / 1_000} s.`;
const APPEARS = 'The page shows prices as soon as there are new ones.';
const OLD_LINK = 'The link may be old or incomplete.';

/** What each rule of the notice reads. */
interface Situation extends NoticeInput {
  /** The failures without those of the rate limit, which `limit` describes. */
  readonly failures: Failures;
  readonly errors: readonly unknown[];
  /** The age of the shown prices, as a sentence. */
  readonly shownAge: string | undefined;
}

/** The rules of the notice. The first one that applies decides: the order is that of `Trouble`. */
const RULES: readonly ((situation: Situation) => Notice | undefined)[] = [
  offlineNotice,
  limitedNotice,
  emptyNotice,
  staleNotice,
  networkNotice,
  unknownMarketNotice,
  wrongListNotice,
  upstreamNotice,
  failureNotice,
  slowNotice,
  degradedNotice,
];

/** The notice that matters most to the reader; undefined in a healthy state. */
export function noticeOf(input: NoticeInput): Notice | undefined {
  const { now, asOf } = input;
  // After the limit's wait, the page repeats these requests at once.
  const isOverLimit = (error: unknown) => ApiError.is(error, 'rate_limited');
  const failures: Failures = Object.fromEntries(
    Object.entries(input.failures).filter(([, error]) => !isOverLimit(error)),
  );
  const shownAge =
    asOf && `The prices below are ${age(Math.max(0, now - asOf.getTime()) / 1_000)} old.`;
  const situation = { ...input, failures, errors: Object.values(failures), shownAge };
  for (const rule of RULES) {
    const notice = rule(situation);
    if (notice) return notice;
  }
  return undefined;
}

/** The browser has no network. */
function offlineNotice({ online, shownAge }: Situation): Notice | undefined {
  if (online) return undefined;
  const next = 'The page continues when you are online.';
  return { kind: 'offline', what: 'You are offline.', age: shownAge, next };
}

/** The reader's address has used its requests of this minute. */
function limitedNotice({ now, limit, search, shownAge }: Situation): Notice | undefined {
  if (limit.waitsUntil <= now) return undefined;
  const allowed =
    limit.requestsAllowed === undefined ? 'its requests' : `its ${limit.requestsAllowed} requests`;
  return {
    kind: 'limited',
    what: `Your address has used ${allowed} of this minute.`,
    age: shownAge,
    next: search ? `The page searches for “${search}” by itself` : 'The page continues by itself',
    wait: ` in ${Math.ceil((limit.waitsUntil - now) / 1_000)} s`,
  };
}

/** The service has no prices yet, and the page shows none. */
function emptyNotice({ asOf, status, errors }: Situation): Notice | undefined {
  // The service also sends `snapshot_missing` while it cannot read its table.
  const isEmpty =
    status?.status === 'empty' || errors.some((error) => ApiError.is(error, 'snapshot_missing'));
  if (asOf || !isEmpty) return undefined;
  return { kind: 'empty', what: `No prices yet: ${emptyReason(status)}`, next: APPEARS };
}

/** The service has only old prices. */
function staleNotice({ status, errors, shownAge }: Situation): Notice | undefined {
  const isStale =
    status?.status === 'stale' || errors.some((error) => ApiError.is(error, 'snapshot_stale'));
  if (!isStale) return undefined;
  const since = status?.asOf ? ` since ${clockTime(status.asOf)}` : '';
  const what = shownAge
    ? `The service has read no new prices${since}.`
    : `There are no current prices: the service could not read any${since}.`;
  return { kind: 'stale', what, age: shownAge, next: APPEARS };
}

/** The service does not respond: an error that is not one of its own. */
function networkNotice({ errors, shownAge }: Situation): Notice | undefined {
  if (errors.every((error) => ApiError.is(error))) return undefined;
  const what = 'The service does not respond.';
  return { kind: 'network', what, age: shownAge, next: RETRIES, action: 'retry' };
}

/** The address of the page names a market that the service does not know. */
function unknownMarketNotice({ failures }: Situation): Notice | undefined {
  if (!ApiError.is(failures.market, 'no_market')) return undefined;
  const what = 'The service has no market with this name.';
  return { kind: 'unknown', what, next: OLD_LINK, action: 'search' };
}

/** The service rejects the search, the order or a filter of the list. */
function wrongListNotice({ failures }: Situation): Notice | undefined {
  if (!ApiError.is(failures.list, 'invalid_parameter')) return undefined;
  if (failures.list.message.startsWith('The parameter q ')) {
    const length = `${QUERY_MIN_CHARACTERS} to ${QUERY_MAX_CHARACTERS} characters`;
    const what = `The search needs ${length}, with at least one letter or digit.`;
    return { kind: 'wrong', what, next: '', action: 'all' };
  }
  const what = 'There is no list with this order or filter.';
  return { kind: 'wrong', what, next: OLD_LINK, action: 'all' };
}

/** Why there are no prices yet, in words for people. The `reason` of the status is for programs. */
function emptyReason(status: Status | undefined): string {
  const [, since] = /since (\S+Z)/.exec(status?.reason ?? '') ?? [];
  if (!since) return 'the service is reading the markets of Polymarket for the first time.';
  return `the service cannot read the markets of Polymarket. It has been trying since ${clockTime(since)}.`;
}

/** Polymarket does not respond. The service's own words about it are for programs. */
function upstreamNotice({ failures }: Situation): Notice | undefined {
  const parts = (['market', 'history', 'book', 'rules'] as const).filter((part) =>
    ApiError.is(failures[part], 'upstream_unavailable'),
  );
  if (parts.length === 0) return undefined;
  const missing = parts.map((part) => PARTS[part]).join(' and ');
  const what = `Polymarket does not respond, so the page cannot read ${missing}.`;
  return { kind: 'upstream', what, next: 'It keeps trying.' };
}

/** The service has responded to a request with another error. */
function failureNotice({ failures, shownAge }: Situation): Notice | undefined {
  const [failedPart, error] = Object.entries(failures)[0] ?? [];
  if (!ApiError.is(error)) return undefined;
  const what = `The page cannot read ${PARTS[failedPart as ReadPart]}: ${error.message}`;
  if (!isTemporary(error)) return { kind: 'failed', what, next: '' };
  return { kind: 'failed', what, age: shownAge, next: RETRIES, action: 'retry' };
}

/** A response takes longer than usual. */
function slowNotice({ slow }: Situation): Notice | undefined {
  if (!slow) return undefined;
  const what = 'The service takes longer than usual.';
  return { kind: 'slow', what, next: 'The page waits for its response.' };
}

/** The service works, but it could not read some prices. */
function degradedNotice({ status }: Situation): Notice | undefined {
  if (status?.status !== 'degraded') return undefined;
  const since = status.degradedSince ? ` since ${clockTime(status.degradedSince)}` : '';
  const what = `Some prices are older than usual${since}.`;
  return { kind: 'degraded', what, next: 'Their rows name the time.' };
}

/** Whether a later request can succeed: after a network error, the limit, or a 5xx. */
export function isTemporary(error: unknown): boolean {
  return !ApiError.is(error) || error.status >= 500 || error.status === 429;
}
