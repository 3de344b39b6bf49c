// The endpoints of events. An event is all markets with one `eventSlug`. GET /api/events lists
// events, and GET /api/events/{slug} has one event with its markets.

import { describe, expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/core/contract/constants.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import type { EventSummary } from '../../../../lambda/core/query/market-events.ts';
import { SearchIndex } from '../../../../lambda/core/search/search-index.ts';
import { getEvent, listEvents } from '../../../../lambda/endpoints/events/events.ts';
import { listMarkets } from '../../../../lambda/endpoints/markets/market-lists.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import {
  AS_OF,
  loadedSnapshot,
  type MarketOverrides,
  testMarket,
} from '../../../support/markets.ts';

/** A market of the event "cup". Market 0 has the highest volume, then market 1, and so on. */
const cupMarket = (n: number, fields: MarketOverrides = {}) =>
  testMarket(n, { eventSlug: 'cup', ...fields });

describe('GET /api/events', () => {
  /** Events in descending order of volume: cup (60 USD), coin (50) and rain (10). */
  const markets = [
    cupMarket(0, { question: 'Who wins?', volume: 40, endDate: '2026-12-05T00:00:00Z' }),
    cupMarket(1, { question: 'Who wins the cup?', volume: 20, endDate: '2026-12-01T00:00:00Z' }),
    testMarket(2, {
      eventSlug: 'coin',
      question: 'Will bitcoin rise?',
      volume: 50,
      endDate: '2026-11-25T00:00:00Z',
    }),
    testMarket(3, { eventSlug: 'rain', question: 'Will it rain?', volume: 10 }),
    testMarket(4, { eventSlug: undefined, question: 'Will bitcoin fall?' }),
  ];
  const newest = loadedSnapshot(markets, AS_OF, new SearchIndex());
  /** A snapshot of the minute before. It only has the event "rain". */
  const older = loadedSnapshot(markets.slice(3, 4), AS_OF - 60_000);
  const endpoint = listEvents(snapshotDeps(newest, older));
  const get = async (query: string, path = '/api/events') =>
    await endpoint(endpointRequest('list-events', `${path}${query}`));
  const slugs = async (query: string) =>
    JSON.parse((await get(query)).body).map(({ slug }: EventSummary) => slug);

  it('has all events by the sum of the volumes of their markets, one per line', async () => {
    const { body } = await get('');
    expect(await slugs('')).toEqual(['cup', 'coin', 'rain']);
    expect(body.split('\n')).toHaveLength(3);
    expect(JSON.parse(body)[0]).toMatchObject({ slug: 'cup', volume: 60, markets: 2 });
  });

  it('has the total and the snapshot in its headers, but no search and no links', async () => {
    const { headers } = await get('');
    expect(headers).toMatchObject({ 'X-Total-Count': '3', 'X-Snapshot-Id': newest.info.id });
    expect(headers).not.toHaveProperty('X-Search-Match');
    expect(headers).not.toHaveProperty('Link');
  });

  it.each([
    ['?q=bitcoin', ['coin']],
    ['?sort=endDate', ['coin', 'cup', 'rain']],
    ['?limit=1&offset=1', ['coin']],
    [`?snapshot=${older.info.id}`, ['rain']],
  ])('%s returns the events %j', async (query, expected) => {
    expect(await slugs(query)).toEqual(expected);
  });

  it('says how a search matched', async () => {
    expect((await get('?q=cup+bitcoin+rain')).headers['X-Search-Match']).toBe('any');
  });

  it.each(['/api/events', '/dev/api/events'])(
    'links to the next page with the path %s and the query as the caller wrote them',
    async (path) => {
      for (const query of ['minVolume=0', 'minVolume=0.0', 'q=cup+bitcoin+rain']) {
        const { headers } = await get(`?limit=1&${query}`, path);
        const target = `${path}?${query}&limit=1&offset=1&snapshot=${newest.info.id}`;
        expect(headers.Link).toContain(`<${target}>; rel="next"`);
      }
    },
  );

  it('depends on the parameters of a tool, which sends no query', async () => {
    for (const limit of [2, 3]) {
      const request = endpointRequest('list-events', `/api/events?limit=${limit}`);
      const { body } = await endpoint({ ...request, sent: {} });
      expect(JSON.parse(body)).toHaveLength(limit);
    }
  });

  it('rejects a range that no event lies in', async () => {
    const empty = get('?endsAfter=2026-12-02&endsBefore=2026-12-01');
    await expect(empty).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

/** The endpoint of the event "cup", over a snapshot of these markets. */
function eventEndpoint(markets: readonly Market[]) {
  const snapshot = loadedSnapshot(markets);
  const endpoint = getEvent(snapshotDeps(snapshot));
  const get = async (query = '', path = '/api/events/cup') =>
    await endpoint(endpointRequest('get-event', `${path}${query}`, {}, { slug: 'cup' }));
  return { snapshot, get };
}

describe('GET /api/events/{slug}', () => {
  const { snapshot, get } = eventEndpoint([
    cupMarket(0, { currentProbability: 20 }),
    testMarket(1),
    cupMarket(2, { currentProbability: 70 }),
  ]);

  it('has the summary of the event', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      slug: 'cup',
      volume: testMarket(0).volume + testMarket(2).volume,
      topMarkets: [{ id: testMarket(2).id }, { id: testMarket(0).id }],
    });
  });

  it('has its markets, most probable first, one per line', async () => {
    const rows = `"markets":[${snapshot.defaultRow(2)},\n${snapshot.defaultRow(0)}]}`;
    expect((await get()).body).toContain(rows);
  });

  it('has the total and the snapshot in its headers, but no links', async () => {
    const { headers } = await get();
    expect(headers).toMatchObject({ 'X-Total-Count': '2', 'X-Snapshot-Id': snapshot.info.id });
    expect(headers).not.toHaveProperty('Link');
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('shows the named fields of its markets', async () => {
    const { markets } = JSON.parse((await get('?fields=slug,tags')).body);
    expect(markets[0]).toEqual({ slug: 'will-event-2-happen', tags: ['politics'] });
  });

  it('is 404 no_event for an event without open markets', async () => {
    const others = eventEndpoint([testMarket(0)]);
    await expect(others.get()).rejects.toMatchObject({ code: 'no_event' });
  });
});

// Lambda sends at most 6 MB. The response then has the first markets, and a link to GET
// /api/markets, which lists the others.
describe('an event whose markets do not fit one response', () => {
  /** Each market takes 6 kB, because a quote has two bytes in the response of Lambda. */
  const markets = Array.from({ length: 800 }, (_, n) =>
    cupMarket(n, { currentProbability: n % 7, image: '"'.repeat(3_000) }),
  );
  const { snapshot, get } = eventEndpoint(markets);
  const listEndpoint = listMarkets(snapshotDeps(snapshot));
  /** The target of the link to the next page. */
  const nextOf = ({ Link = '' }: Readonly<Record<string, string>>) =>
    /<([^>]*)>; rel="next"/.exec(Link)?.[1];

  it('has at most the bytes that Lambda can send', async () => {
    const { body } = await get('?fields=id,image');
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
  });

  it('continues in the list of markets, each once', async () => {
    const { body, headers } = await get('?fields=id,image');
    const seen = JSON.parse(body).markets;
    for (let target = nextOf(headers); target; ) {
      const page = await listEndpoint(endpointRequest('list-markets', target));
      seen.push(...JSON.parse(page.body));
      target = nextOf(page.headers);
    }
    const expected = markets.toSorted((a, b) => b.currentProbability - a.currentProbability);
    expect(seen.map(({ id }: Market) => id)).toEqual(expected.map(({ id }) => id));
  });

  it.each([
    ['/api/events/cup/', '/api/markets'],
    ['/dev/api/events/cup', '/dev/api/markets'],
  ])('at %s continues at %s', async (path, listPath) => {
    const next = nextOf((await get('?fields=id,image', path)).headers) ?? '';
    const { pathname, searchParams } = new URL(next, 'https://service.example');
    expect(pathname).toBe(listPath);
    expect(searchParams.get('event')).toBe('cup');
  });
});

// If exactly one outcome of an event can win (`negRisk`), all its prices together should be 1.
// Traders compare this with `bidSum` and `askSum`.
describe('the sums of the best prices of an event', () => {
  const SIDES = { negRisk: true, bestBid: 0.3, bestAsk: 0.36 } as const;
  /** The sums over markets with a bid of 0.3 and an ask of 0.36, unless their fields differ. */
  const sumsOf = async (...fields: readonly MarketOverrides[]) => {
    const markets = fields.map((changed, n) => cupMarket(n, { ...SIDES, ...changed }));
    const { bidSum, askSum } = JSON.parse((await eventEndpoint(markets).get()).body);
    return { bidSum, askSum };
  };

  it('contain all its markets', async () => {
    const third = { bestBid: 0.0005, bestAsk: 0.4 };
    // 0.3 + 0.3 + 0.0005, and 0.36 + 0.36 + 0.4
    expect(await sumsOf({}, {}, third)).toEqual({ bidSum: 0.6005, askSum: 1.12 });
  });

  // The first market has a bid of 0.3 and an ask of 0.36. Without a bid, the second adds nothing.
  it.each<[what: string, fields: MarketOverrides, sums: { bidSum: number; askSum?: number }]>([
    ['no bid', { bestBid: undefined }, { bidSum: 0.3, askSum: 0.72 }],
    ['no ask', { bestAsk: undefined }, { bidSum: 0.6 }],
    ['the price of a trade', { priceSource: 'trade' }, { bidSum: 0.6, askSum: 0.72 }],
    ['a book without a trade', { priceSource: 'untraded' }, { bidSum: 0.6, askSum: 0.72 }],
  ])('exist if one of two markets has %s', async (_what, fields, sums) => {
    expect(await sumsOf({}, fields)).toEqual(sums);
  });

  it.each<[what: string, fields: MarketOverrides]>([
    ['a carried price', { priceSource: 'carried' }],
    ['a price of the catalogue', { priceSource: 'catalogue' }],
    ['outcomes that do not exclude the others', { negRisk: false }],
  ])('do not exist if one of two markets has %s', async (_what, fields) => {
    expect(await sumsOf({}, fields)).toEqual({});
  });
});
