import { describe, expect, it } from '@jest/globals';
import { ApiError, type ErrorCode, type Status } from '../../../packages/client/src/index.ts';
import {
  isTemporary,
  type NoticeInput,
  noticeOf,
} from '../../../packages/market-page/src/state/notice.ts';

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

/** From the most important state to the least. */
const STATES: readonly (readonly [kind: string, input: Partial<NoticeInput>])[] = [
  ['offline', { online: false }],
  ['limited', { limit: { waitsUntil: NOW + 41_200, requestsLeft: 0, requestsAllowed: 60 } }],
  [
    'empty',
    {
      status: status('empty', { reason: 'The first refresh has not finished yet.' }),
      asOf: undefined,
    },
  ],
  ['stale', { failures: { updates: error(502, 'snapshot_stale') }, asOf: new Date(NOW - 300_000) }],
  ['network', { failures: { status: new TypeError('Failed to fetch') } }],
  ['unknown', { failures: { market: error(404, 'no_market') } }],
  ['wrong', { failures: { list: error(400, 'invalid_parameter') } }],
  [
    'upstream',
    {
      failures: {
        history: error(502, 'upstream_unavailable'),
        book: error(502, 'upstream_unavailable'),
      },
    },
  ],
  ['failed', { failures: { history: error(400, 'bad_request') } }],
  ['slow', { slow: true, asOf: undefined }],
  ['degraded', { status: status('degraded') }],
];

function sentenceOf(input: Partial<NoticeInput>): string {
  const { what = '', age = '', next = '', wait = '' } = noticeOf({ ...WELL, ...input }) ?? {};
  return `${[what, age, next].filter(Boolean).join(' ')}${wait}`;
}

describe('the status line', () => {
  it('is empty if all is well', () => {
    expect(noticeOf(WELL)).toBeUndefined();
  });

  it.each(STATES)('has a sentence for “%s”', (kind, input) => {
    expect(noticeOf({ ...WELL, ...input })?.kind).toBe(kind);
    expect(sentenceOf(input)).toMatch(/^[A-Z].{20}/);
  });

  it('says what is known, how old the prices are, what happens next, and how long that takes', () => {
    expect(
      sentenceOf({ limit: { waitsUntil: NOW + 41_200, requestsLeft: 0, requestsAllowed: 60 } }),
    ).toBe(
      'Your address has used its 60 requests of this minute. The prices below are 30 s old. The page continues by itself in 42 s',
    );
  });

  it('names all parts of a market that cannot be read', () => {
    const failures = {
      history: error(502, 'upstream_unavailable'),
      book: error(502, 'upstream_unavailable'),
    };
    expect(sentenceOf({ failures })).toContain('cannot read the price history and the order book');
  });

  it('says the state that matters most if several are true', () => {
    /** A page for which a state and all less important ones are true. */
    const together = (from: number): Partial<NoticeInput> => {
      const states = STATES.slice(from).map(([, known]) => known);
      const failures = Object.assign({}, ...states.map((known) => known.failures));
      return { ...Object.assign({}, ...states.reverse()), failures };
    };
    for (const from of STATES.keys())
      expect([from, noticeOf({ ...WELL, ...together(from) })?.kind]).toEqual([
        from,
        STATES[from]?.[0],
      ]);
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
      'The page cannot read new prices: The table cannot be read. The prices below are 30 s old. The page tries again every 10 s.',
    );
  });
});

it('only errors that can end by themselves are read again', () => {
  const errors = [
    new TypeError('Failed to fetch'),
    error(429, 'rate_limited'),
    error(500, 'internal_error'),
    error(502, 'snapshot_stale'),
    error(404, 'no_market'),
    error(400, 'invalid_parameter'),
  ];
  expect(errors.map(isTemporary)).toEqual([true, true, true, true, false, false]);
});
