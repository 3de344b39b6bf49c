import { describe, expect, it } from '@jest/globals';
import { ApiError, type ErrorCode, type Status } from '../../../packages/client/src/index.ts';
import {
  isTemporary,
  type NoticeInput,
  noticeOf,
} from '../../../packages/market-page/src/state/notice.ts';

// The status line is the sentence above the list that says what is wrong, if anything is.

const NOW = Date.parse('2026-11-22T12:00:00Z');
const error = (httpStatus: number, code: ErrorCode, message = `It is ${code}.`) =>
  new ApiError(new Response(null, { status: httpStatus }), { error: message, code });
const status = (state: string, more: Partial<Status> = {}) =>
  ({ status: state, ...more }) as unknown as Status;

/** A page without problems, whose prices are 30 s old. Each test changes a part of it. */
const WELL: NoticeInput = {
  now: NOW,
  online: true,
  limit: { waitsUntil: 0, requestsLeft: 50, requestsAllowed: 60 },
  status: status('ok'),
  failures: {},
  asOf: new Date(NOW - 30_000),
  slow: false,
};

/** The service accepts no request for the next 41.2 s. */
const LIMITED = { limit: { waitsUntil: NOW + 41_200, requestsLeft: 0, requestsAllowed: 60 } };
/** The history and the order book of an open market cannot be read. */
const UNREADABLE = {
  failures: {
    history: error(502, 'upstream_unavailable'),
    book: error(502, 'upstream_unavailable'),
  },
};

/** Each state with what makes it true, from the most important to the least. */
const STATES: readonly { readonly kind: string; readonly input: Partial<NoticeInput> }[] = [
  { kind: 'offline', input: { online: false } },
  { kind: 'limited', input: LIMITED },
  {
    kind: 'empty',
    input: {
      status: status('empty', { reason: 'The first refresh has not finished yet.' }),
      asOf: undefined,
    },
  },
  {
    kind: 'stale',
    input: { failures: { updates: error(502, 'snapshot_stale') }, asOf: new Date(NOW - 300_000) },
  },
  { kind: 'network', input: { failures: { status: new TypeError('Failed to fetch') } } },
  { kind: 'unknown', input: { failures: { market: error(404, 'no_market') } } },
  { kind: 'wrong', input: { failures: { list: error(400, 'invalid_parameter') } } },
  { kind: 'upstream', input: UNREADABLE },
  { kind: 'failed', input: { failures: { history: error(400, 'bad_request') } } },
  { kind: 'slow', input: { slow: true, asOf: undefined } },
  { kind: 'degraded', input: { status: status('degraded') } },
];

/** The words of the status line: what is wrong, how old the prices are, and what happens next. */
function sentenceOf(input: Partial<NoticeInput>): string {
  const { what = '', age = '', next = '', wait = '' } = noticeOf({ ...WELL, ...input }) ?? {};
  return `${[what, age, next].filter(Boolean).join(' ')}${wait}`;
}

describe('the status line', () => {
  it('is empty if all is well', () => {
    expect(noticeOf(WELL)).toBeUndefined();
  });

  it.each(STATES)('has a sentence for “$kind”', ({ kind, input }) => {
    expect(noticeOf({ ...WELL, ...input })?.kind).toBe(kind);
    expect(sentenceOf(input)).toMatch(/^[A-Z].{20}/);
  });

  // The 41.2 s of LIMITED are rounded up.
  it('says what is known, how old the prices are, what happens next, and how long that takes', () => {
    expect(sentenceOf(LIMITED)).toBe(
      'Your address has used its 60 requests of this minute. The prices below are 30 s old. ' +
        'The page continues by itself in 42 s',
    );
  });

  it('names all parts of a market that cannot be read', () => {
    const words = 'cannot read the price history and the order book';
    expect(sentenceOf(UNREADABLE)).toContain(words);
  });

  it('says the state that matters most if several are true', () => {
    let together = WELL;
    // Begins with the least important state. Each next one is true in addition.
    for (const { kind, input } of STATES.toReversed()) {
      const failures = { ...input.failures, ...together.failures };
      together = { ...together, ...input, failures };
      expect(noticeOf(together)?.kind).toBe(kind);
    }
  });

  it('says since when the service tries to read the first prices, without the report for programs', () => {
    const since = new Date(2026, 10, 22, 11, 29, 33).toISOString();
    const reason = `No refresh has succeeded since ${since}. Report of 2026-11-22T11:30:00Z: network.`;
    expect(sentenceOf({ status: status('empty', { reason }), asOf: undefined })).toMatch(
      /^No prices yet: the service cannot read the markets of Polymarket\. It has been trying since 11:29\. /,
    );
  });

  it('says that the service reads the first prices if it does not say since when', () => {
    expect(sentenceOf({ status: status('empty', { reason: 'Report.' }), asOf: undefined })).toMatch(
      /^No prices yet: the service is reading the markets of Polymarket for the first time\. /,
    );
  });

  it('says since when there are no new prices, once the status is known', () => {
    const asOf = new Date(2026, 10, 22, 11, 55).toISOString();
    const stale = status('stale', { asOf });
    expect(sentenceOf({ status: stale })).toMatch(
      /^The service has read no new prices since 11:55\. The prices below are /,
    );
    expect(sentenceOf({ status: stale, asOf: undefined })).toMatch(
      /^There are no current prices: the service could not read any since 11:55\. The page shows/,
    );
  });

  it('does not say that there are no prices while it shows some', () => {
    expect(noticeOf({ ...WELL, status: status('empty') })).toBeUndefined();
    const known = {
      failures: { updates: error(502, 'snapshot_missing', 'The table cannot be read.') },
    };
    expect(sentenceOf(known)).toBe(
      'The page cannot read new prices: The table cannot be read. The prices below are 30 s old. ' +
        'The page tries again every 10 s.',
    );
  });
});

it('errors that can end by themselves are read again, and no others', () => {
  const temporary = [
    new TypeError('Failed to fetch'),
    error(429, 'rate_limited'),
    error(500, 'internal_error'),
    error(502, 'snapshot_stale'),
  ];
  const lasting = [error(404, 'no_market'), error(400, 'invalid_parameter')];
  expect([...temporary, ...lasting].filter(isTemporary)).toEqual(temporary);
});
