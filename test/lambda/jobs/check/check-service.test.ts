import { describe, expect, it } from '@jest/globals';
import {
  ERRORS,
  type ErrorCode,
  GATEWAY_ERRORS,
  PER_IP_REFUSAL,
} from '../../../../lambda/core/contract/errors.ts';
import { createCheck } from '../../../../lambda/jobs/check/check-service.ts';
import { outputOfTest } from '../../../support/captured-output.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outcome } from '../../../support/outcome.ts';
import {
  hang,
  type Reply,
  reset,
  send,
  startStubUpstream,
} from '../../../support/stub-upstream.ts';

// The check is a job that calls five endpoints of the deployed service as a caller does. It fails if one
// does not respond as it should, and an alarm follows. A fault of Polymarket does not count.

/** The response of an endpoint that fails. */
const rejected = (code: ErrorCode, error = 'A sentence.', requestId = 'request-1') =>
  send({ error, code, requestId }, ERRORS[code].status);
// Three limits respond with the same code: the one of the address of the check, the usage plan of
// all callers, and the web ACL.
const OWN_LIMIT = rejected('rate_limited', PER_IP_REFUSAL);
const PLAN = rejected('rate_limited', GATEWAY_ERRORS.THROTTLED.error);
const WEB_ACL = rejected('rate_limited', PER_IP_REFUSAL, 'waf');
const AWAY = rejected('upstream_unavailable');
const BUSY = rejected('upstream_busy');
const HTML = send('<html>', 404);

const MARKET = { id: '0x1', question: 'Will it rain & snow?', clobTokenId: '77' };
const HEALTHY = {
  status: send({ status: 'ok', ageSeconds: 20, markets: 5, version: '1.0.0' }),
  list: send([MARKET]),
  search: send([MARKET]),
  book: send({ bids: [{}], asks: [] }),
  history: send({ history: [] }),
};
type Endpoint = keyof typeof HEALTHY;
const URLS: Readonly<Record<Endpoint, string>> = {
  status: '/api/status',
  list: '/api/markets?limit=1',
  search: '/api/markets/search?q=Will+it+rain+%26+snow%3F&limit=1',
  book: '/api/clob/order-book?token_id=77',
  history: '/api/clob/prices-history?token_id=77&interval=1d',
};

const service = await startStubUpstream();
const lines = outputOfTest();

/**
 * Checks a service that differs from a healthy one.
 *
 * @returns the error, and the log's lines as objects
 */
function check(changed: Partial<Record<Endpoint, Reply>> = {}, apiKey = '') {
  const replies = { ...HEALTHY, ...changed };
  service.reply((response, request) => {
    const name = (Object.keys(URLS) as Endpoint[]).find((key) => URLS[key] === request.url);
    (name ? replies[name] : HTML)(response, request);
  });
  const clock = new ManualClock();
  const run = createCheck({ BASE_URL: `${service.url}/`, API_KEY: apiKey }, clock);
  return { clock, result: outcome(run()) };
}

const log = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the check passes', () => {
  it('when every endpoint responds', async () => {
    expect(await check().result).toBeUndefined();
    expect(service.urls).toEqual(Object.values(URLS));
    expect(lines).toEqual([]);
  });

  it('for a question that is longer than the 200 characters of a search', async () => {
    await check({ list: send([{ ...MARKET, question: 'é'.repeat(201) }]) }).result;
    const { searchParams } = new URL(service.urls[2] ?? '', service.url);
    expect(searchParams.get('q')).toBe('é'.repeat(200));
  });

  it('without a key and an open connection, which a frozen process cannot use', async () => {
    await check().result;
    for (const { headers } of service.requests) {
      expect(headers['x-api-key']).toBeUndefined();
      expect(headers.connection).toBe('close');
    }
  });

  it('without an edge: it sends the key', async () => {
    expect(await check({}, 'key-1').result).toBeUndefined();
    expect(service.requests.map(({ headers }) => headers['x-api-key'])).toEqual(
      Array(5).fill('key-1'),
    );
  });

  it.each<[string, Partial<Record<Endpoint, Reply>>]>([
    ['the data is degraded', { status: send({ status: 'degraded' }) }],
    ['Polymarket does not respond', { book: AWAY, history: AWAY }],
    ['Polymarket is slow', { book: BUSY, history: BUSY }],
    [
      'the market closed in this minute',
      { book: rejected('no_order_book'), history: rejected('no_market') },
    ],
    ['the plan is used up for the book and the history', { book: PLAN, history: PLAN }],
    [
      'the limit of its own address applies',
      { status: OWN_LIMIT, search: OWN_LIMIT, book: OWN_LIMIT },
    ],
  ])('when %s', async (_what, changed) => {
    expect(await check(changed).result).toBeUndefined();
    expect(service.urls).toHaveLength(5);
  });

  it('when the limit of its own address hides the list, which names no market then', async () => {
    expect(await check({ list: OWN_LIMIT }).result).toBeUndefined();
    expect(service.urls).toEqual([URLS.status, URLS.list]);
  });
});

describe('the check fails', () => {
  const ALL = Object.keys(URLS) as Endpoint[];
  /** The check's sentence for a response that the endpoint never has. */
  const WRONG = /This (is not|has no)/;
  /** What is wrong, the endpoints at which it may be, the reply, and the message of the check. */
  const BROKEN: readonly [what: string, at: readonly Endpoint[], reply: Reply, message: RegExp][] =
    [
      ['an error of the service', ALL, rejected('internal_error'), WRONG],
      ['no data', ['status', 'list', 'search'], rejected('snapshot_missing'), WRONG],
      ['stale data', ['list', 'search'], rejected('snapshot_stale'), WRONG],
      ['a page', ALL, HTML, WRONG],
      [
        'another JSON',
        ALL,
        send({ message: 'Forbidden' }),
        /This is not|This has no|not fresh: undefined/,
      ],
      ['a redirect', ALL, send({}, 302, { location: '/api/status' }), WRONG],
      ['a broken connection', ALL, reset, /fetch failed/],
      ['the limit of all callers', ['status', 'list', 'search'], PLAN, WRONG],
      ['the limit of the web ACL', ['status', 'list', 'search'], WEB_ACL, WRONG],
      ['Polymarket as the reason', ['status', 'list', 'search'], AWAY, WRONG],
      ['stale data in the status', ['status'], send({ status: 'stale' }), /not fresh: stale/],
      ['no markets', ['list', 'search'], send([]), /empty/],
      ['an entry that is no market', ['list'], send([null]), /not a list of markets/],
      ['a book without a side', ['book'], send({ bids: [] }), /no bids and asks/],
    ];
  const rows = BROKEN.flatMap(([what, at, reply, message]) =>
    at.map((endpoint) => [endpoint, what, reply, message] as const),
  );

  it.each(rows)('and names the %s for %s', async (endpoint, _what, reply, message) => {
    expect(String(await check({ [endpoint]: reply }).result)).toMatch(message);
    expect(log()).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        message: 'The service does not respond as it should',
        path: URLS[endpoint],
        ...(reply !== reset && { status: expect.any(Number), excerpt: expect.any(String) }),
      }),
    ]);
  });

  it.each(ALL)('when the %s does not respond within 20 s', async (endpoint) => {
    const { clock, result } = check({ [endpoint]: hang });
    await service.received(Object.keys(URLS).indexOf(endpoint) + 1);
    await clock.advance(19_999);
    expect(lines).toEqual([]);
    await clock.advance(1);
    expect(String(await result)).toMatch('No response within 20000 ms');
    expect(log()).toEqual([expect.objectContaining({ path: URLS[endpoint] })]);
  });
});
