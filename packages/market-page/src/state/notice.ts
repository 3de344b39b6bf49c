/** The notice of the page: one sentence about the most important trouble. */
import { ApiError, type Status } from 'market-data-proxy-client';
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

const retries = `The page tries again every ${RETRY_MS / 1_000} s.`;
const appears = 'The page shows new prices as soon as there are any.';

/** The notice that matters most to the reader; undefined in a healthy state. */
export function noticeOf(input: NoticeInput): Notice | undefined {
  const { now, online, limit, status, asOf, search } = input;
  // `limit` tells of these. After its wait the page repeats them at once.
  const isOver = (error: unknown) => ApiError.is(error, 'rate_limited');
  const failures: Failures = Object.fromEntries(
    Object.entries(input.failures).filter(([, error]) => !isOver(error)),
  );
  const shownAge =
    asOf && `The prices below are ${age(Math.max(0, now - asOf.getTime()) / 1_000)} old.`;
  const errors = Object.values(failures);
  if (!online) {
    const next = 'The page continues when you are online.';
    return { kind: 'offline', what: 'You are offline.', age: shownAge, next };
  }
  if (limit.waitsUntil > now) {
    const allowed =
      limit.requestsAllowed === undefined
        ? 'its requests'
        : `its ${limit.requestsAllowed} requests`;
    return {
      kind: 'limited',
      what: `Your address has used ${allowed} of this minute.`,
      age: shownAge,
      next: search ? `The page searches for “${search}” by itself` : 'The page continues by itself',
      wait: ` in ${Math.ceil((limit.waitsUntil - now) / 1_000)} s`,
    };
  }
  // The service also sends `snapshot_missing` while it cannot read its table.
  if (
    !asOf &&
    (status?.status === 'empty' || errors.some((error) => ApiError.is(error, 'snapshot_missing')))
  ) {
    return { kind: 'empty', what: `No prices yet: ${emptyReason(status)}`, next: appears };
  }
  if (status?.status === 'stale' || errors.some((error) => ApiError.is(error, 'snapshot_stale'))) {
    const since = status?.asOf ? ` since ${clockTime(status.asOf)}` : '';
    return {
      kind: 'stale',
      what: `The service has read no new prices${since}.`,
      age: shownAge,
      next: appears,
    };
  }
  if (errors.some((error) => !ApiError.is(error))) {
    return {
      kind: 'network',
      what: 'The service does not respond.',
      age: shownAge,
      next: retries,
      action: 'retry',
    };
  }
  if (ApiError.is(failures.market, 'no_market')) {
    const next = 'The link may be old or incomplete.';
    return {
      kind: 'unknown',
      what: 'The service has no market with this name.',
      next,
      action: 'search',
    };
  }
  if (ApiError.is(failures.list, 'invalid_parameter')) {
    const { message } = failures.list;
    if (message.startsWith('The parameter q ')) {
      const what = 'The search needs 2 to 200 characters, with at least one letter or digit.';
      return { kind: 'wrong', what, next: '', action: 'all' };
    }
    const next = 'The link may be old or incomplete.';
    return {
      kind: 'wrong',
      what: 'There is no list with this order or filter.',
      next,
      action: 'all',
    };
  }
  return failureNotice(failures, shownAge) ?? quietNotice(input);
}

/** Why there are no prices yet, in words for people. The `reason` of the status is for programs. */
function emptyReason(status: Status | undefined): string {
  const [, since] = /since (\S+Z)/.exec(status?.reason ?? '') ?? [];
  if (!since) return 'the service is reading the markets of Polymarket for the first time.';
  return `the service cannot read the markets of Polymarket. It has been trying since ${clockTime(since)}.`;
}

/** The notice about failed requests. The service's own words about Polymarket are for programs. */
function failureNotice(failures: Failures, shownAge: string | undefined): Notice | undefined {
  const upstream = (['market', 'history', 'book', 'rules'] as const).filter((part) =>
    ApiError.is(failures[part], 'upstream_unavailable'),
  );
  if (upstream.length > 0) {
    const missing = upstream.map((part) => PARTS[part]).join(' and ');
    const what = `Polymarket does not respond, so the page cannot read ${missing}.`;
    return { kind: 'upstream', what, next: 'It keeps trying.' };
  }
  const [failedPart, error] = Object.entries(failures)[0] ?? [];
  if (!ApiError.is(error)) return undefined;
  const again = isTemporary(error);
  return {
    kind: 'failed',
    what: `The page cannot read ${PARTS[failedPart as ReadPart]}: ${error.message}`,
    age: again ? shownAge : undefined,
    next: again ? retries : '',
    ...(again ? { action: 'retry' as const } : {}),
  };
}

/** The notice of a page that works, but slowly or with old prices. */
function quietNotice({ slow, status }: NoticeInput): Notice | undefined {
  if (slow)
    return {
      kind: 'slow',
      what: 'The service takes longer than usual.',
      next: 'The page waits for its response.',
    };
  if (status?.status !== 'degraded') return undefined;
  const since = status.degradedSince ? ` since ${clockTime(status.degradedSince)}` : '';
  return {
    kind: 'degraded',
    what: `Some prices are older than usual${since}.`,
    next: 'Their rows name the time.',
  };
}

/** Whether a later request can succeed: after a network error, the limit, or a 5xx. */
export function isTemporary(error: unknown): boolean {
  return !ApiError.is(error) || error.status >= 500 || error.status === 429;
}
