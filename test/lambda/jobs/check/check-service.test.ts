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

// The check is a job that calls five endpoints of the deployed service as a caller does. If one does
// not respond as it should, the check fails, and an alarm fires. A fault of Polymarket does not count.

/** The response of an endpoint that fails. */
const rejected = (code: ErrorCode, error = 'A sentence.', requestId = 'request-1') =>
  send({ error, code, requestId }, ERRORS[code].status);
// Three limits respond with the same code: the service's limit for the address of the check, which
// may be reached, that for all callers together, and that of the firewall. The second has other
// words, and the third another request id.
const ADDRESS_LIMIT = rejected('rate_limited', PER_IP_REFUSAL);
const COMMON_LIMIT = rejected('rate_limited', GATEWAY_ERRORS.THROTTLED.error);
const FIREWALL_LIMIT = rejected('rate_limited', PER_IP_REFUSAL, 'waf');
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

/** Checks a service that differs from a healthy one. `result` is the error, if the check fails. */
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

  it('with requests that have no key, and close their connections', async () => {
    // Lambda freezes the process between two checks, so that open connections would die.
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
    [
      'the limit of all callers applies to the book and the history',
      { book: COMMON_LIMIT, history: COMMON_LIMIT },
    ],
    [
      'the limit of its own address applies',
      { status: ADDRESS_LIMIT, search: ADDRESS_LIMIT, book: ADDRESS_LIMIT },
    ],
  ])('when %s', async (_what, changed) => {
    expect(await check(changed).result).toBeUndefined();
    expect(service.urls).toHaveLength(5);
  });

  it('after two calls if the list is over its limit: the other calls need a market', async () => {
    expect(await check({ list: ADDRESS_LIMIT }).result).toBeUndefined();
    expect(service.urls).toEqual([URLS.status, URLS.list]);
  });
});

describe('the check fails', () => {
  const ALL = Object.keys(URLS) as Endpoint[];
  const OWN_DATA: readonly Endpoint[] = ['status', 'list', 'search'];
  /** The check's sentence for a response that the endpoint never has. */
  const WRONG = /This (is not|has no)/;

  interface Fault {
    readonly what: string;
    /** The endpoints that may have it. */
    readonly at: readonly Endpoint[];
    readonly reply: Reply;
    /** The error of the check, if it is not `WRONG`. */
    readonly message?: RegExp;
  }

  const FAULTS: readonly Fault[] = [
    { what: 'an error of the service', at: ALL, reply: rejected('internal_error') },
    { what: 'no data', at: OWN_DATA, reply: rejected('snapshot_missing') },
    { what: 'stale data', at: ['list', 'search'], reply: rejected('snapshot_stale') },
    { what: 'a page', at: ALL, reply: HTML },
    {
      what: 'another JSON',
      at: ALL,
      reply: send({ message: 'Forbidden' }),
      message: /This is not|This has no|not fresh: undefined/,
    },
    { what: 'a redirect', at: ALL, reply: send({}, 302, { location: '/api/status' }) },
    { what: 'a broken connection', at: ALL, reply: reset, message: /fetch failed/ },
    { what: 'the limit of all callers', at: OWN_DATA, reply: COMMON_LIMIT },
    { what: 'the limit of the firewall', at: OWN_DATA, reply: FIREWALL_LIMIT },
    { what: 'Polymarket as the reason', at: OWN_DATA, reply: AWAY },
    {
      what: 'stale data as its report',
      at: ['status'],
      reply: send({ status: 'stale' }),
      message: /not fresh: stale/,
    },
    { what: 'no markets', at: ['list', 'search'], reply: send([]), message: /empty/ },
    {
      what: 'an entry that is no market',
      at: ['list'],
      reply: send([null]),
      message: /not a list of markets/,
    },
    {
      what: 'a book without a side',
      at: ['book'],
      reply: send({ bids: [] }),
      message: /no bids and asks/,
    },
  ];

  describe.each(FAULTS)('for $what', ({ at, reply, message = WRONG }) => {
    it.each(at)('and names the %s', async (endpoint) => {
      expect(String(await check({ [endpoint]: reply }).result)).toMatch(message);
      const response = { status: expect.any(Number), excerpt: expect.any(String) };
      expect(log()).toEqual([
        expect.objectContaining({
          level: 'ERROR',
          message: 'The service does not respond as it should',
          path: URLS[endpoint],
          ...(reply !== reset && response),
        }),
      ]);
    });
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
