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

/** Three events, by volume: cup (two markets, 60), coin (50) and rain (10). Market 4 has none. */
const CUP = { eventSlug: 'cup', question: 'Who wins the cup?' };
const markets = [
  testMarket(0, { ...CUP, volume: 40, endDate: '2026-12-05T00:00:00Z' }),
  testMarket(1, { ...CUP, volume: 20, endDate: '2026-12-01T00:00:00Z' }),
  testMarket(2, {
    eventSlug: 'coin',
    question: 'Will bitcoin rise?',
    volume: 50,
    endDate: '2026-11-25T00:00:00Z',
  }),
  testMarket(3, { eventSlug: 'rain', question: 'Will it rain?', volume: 10 }),
  testMarket(4, { question: 'Will bitcoin fall?' }),
];
const snapshot = loadedSnapshot(markets, AS_OF, new SearchIndex());
const older = loadedSnapshot(markets.slice(3, 4), AS_OF - 60_000);
const deps = snapshotDeps(snapshot, older);
const call = async (query: string, headers = {}) =>
  await listEvents(deps)(endpointRequest('list-events', `/api/events${query}`, headers));
const slugs = async (query: string) =>
  JSON.parse((await call(query)).body).map(({ slug }: EventSummary) => slug);

describe('GET /api/events', () => {
  it('has all events by the volume of their markets together, one per line', async () => {
    const { body, headers } = await call('');
    expect(await slugs('')).toEqual(['cup', 'coin', 'rain']);
    expect(body.split('\n')).toHaveLength(3);
    expect(JSON.parse(body)[0]).toMatchObject({ slug: 'cup', volume: 60, markets: 2 });
    expect(headers).toMatchObject({ 'X-Total-Count': '3', 'X-Snapshot-Id': snapshot.info.id });
    expect(headers).not.toHaveProperty('X-Search-Match');
    expect(headers).not.toHaveProperty('Link');
  });

  it.each([
    ['?q=bitcoin', ['coin']],
    ['?sort=endDate', ['coin', 'cup', 'rain']],
    ['?limit=1&offset=1', ['coin']],
  ])('%s is %j', async (query, expected) => {
    expect(await slugs(query)).toEqual(expected);
  });

  it('links to the other pages, and says how a search found its events', async () => {
    const { headers } = await call('?limit=1&q=cup+bitcoin+rain');
    expect(headers['X-Search-Match']).toBe('any');
    expect(headers.Link).toMatch(
      /^<\/api\/events\?q=cup\+bitcoin\+rain&limit=1&offset=1&snapshot=[\w-]+>; rel="next"/,
    );
  });

  it('reads the snapshot that the caller names', async () => {
    expect(await slugs(`?snapshot=${older.info.id}`)).toEqual(['rain']);
  });

  it('is made for its parameters, the path and the spelling of the caller', async () => {
    for (const target of [
      '/api/events?limit=1&minVolume=0',
      '/dev/api/events?limit=1&minVolume=0.0',
    ]) {
      const { headers } = await listEvents(deps)(endpointRequest('list-events', target));
      expect(headers.Link).toContain(`<${target.split('?')[0]}?`);
      expect(headers.Link).toContain(target.split('&')[1] ?? '');
    }
    const lengths = [2, 3].map(async (limit) => {
      const request = endpointRequest('list-events', `/api/events?limit=${limit}`);
      return JSON.parse((await listEvents(deps)({ ...request, sent: {} })).body).length;
    });
    expect(await Promise.all(lengths)).toEqual([2, 3]);
  });

  it('rejects a range that no event lies in', async () => {
    const empty = call('?endsAfter=2026-12-02&endsBefore=2026-12-01');
    await expect(empty).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

/** The event and the list over a snapshot of these markets. */
function oneEvent(of: readonly Market[]) {
  const few = loadedSnapshot(of);
  const single = snapshotDeps(few);
  const get = async (slug: string, query = '', path = `/api/events/${slug}`) =>
    await getEvent(single)(endpointRequest('get-event', `${path}${query}`, {}, { slug }));
  const list = async (target: string) =>
    await listMarkets(single)(endpointRequest('list-markets', target));
  return { few, get, list };
}

const { few, get } = oneEvent([
  testMarket(0, { eventSlug: 'cup', currentProbability: 20 }),
  testMarket(1),
  testMarket(2, { eventSlug: 'cup', currentProbability: 70 }),
]);

/** An event whose markets do not fit one response. */
const LARGE_EVENT = Array.from({ length: 800 }, (_, n) =>
  testMarket(n, { eventSlug: 'cup', currentProbability: n % 7, image: '"'.repeat(3_000) }),
);
const large = oneEvent(LARGE_EVENT);
const nextOf = ({ Link = '' }: Readonly<Record<string, string>>) =>
  /<([^>]*)>; rel="next"/.exec(Link)?.[1];

describe('GET /api/events/{slug}', () => {
  it('has the summary of the event and its markets, most probable first, one per line', async () => {
    const { status, body, headers } = await get('cup');
    expect(status).toBe(200);
    expect(body).toContain(`"markets":[${few.defaultRow(2)},\n${few.defaultRow(0)}]}`);
    expect(JSON.parse(body)).toMatchObject({
      slug: 'cup',
      volume: 1_999_998,
      topMarkets: [{ id: testMarket(2).id }, { id: testMarket(0).id }],
    });
    expect(headers).toMatchObject({ 'X-Total-Count': '2', 'X-Snapshot-Id': few.info.id });
    expect(headers).not.toHaveProperty('Link');
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('shows the named fields of its markets', async () => {
    const { markets: rows } = JSON.parse((await get('cup', '?fields=slug,tags')).body);
    expect(rows[0]).toEqual({ slug: 'will-event-2-happen', tags: ['politics'] });
  });

  it('is 404 no_event for an event without open markets', async () => {
    await expect(get('other')).rejects.toMatchObject({ code: 'no_event' });
  });

  it('continues in the list when its markets do not fit one response', async () => {
    const { body, headers } = await large.get('cup', '?fields=id,image');
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
    const seen = JSON.parse(body).markets;
    for (let target = nextOf(headers); target; ) {
      const page = await large.list(target);
      seen.push(...JSON.parse(page.body));
      target = nextOf(page.headers);
    }
    const expected = LARGE_EVENT.toSorted((a, b) => b.currentProbability - a.currentProbability);
    expect(seen.map(({ id }: Market) => id)).toEqual(expected.map(({ id }) => id));
  });

  it.each([
    ['/api/events/cup/', '/api/markets'],
    ['/dev/api/events/cup', '/dev/api/markets'],
  ])('%s continues at %s', async (path, list) => {
    const { headers } = await large.get('cup', '?fields=id,image', path);
    expect(nextOf(headers)).toMatch(new RegExp(`^${list}\\?.*event=cup`));
  });
});

describe('the sums of an event', () => {
  const side = { eventSlug: 'cup', negRisk: true, bestBid: 0.3, bestAsk: 0.36 } as const;
  const sumsOf = async (...overrides: readonly MarketOverrides[]) => {
    const event = oneEvent(overrides.map((one, n) => testMarket(n, { ...side, ...one })));
    const { bidSum, askSum } = JSON.parse((await event.get('cup')).body);
    return [bidSum, askSum];
  };

  it('add up the raw sides of all its markets', async () => {
    expect(await sumsOf({}, { priceSource: 'trade' }, { bestBid: 0.0005, bestAsk: 0.4 })).toEqual([
      0.6005, 1.12,
    ]);
  });

  it.each<[string, MarketOverrides, readonly (number | undefined)[]]>([
    ['no bid', { bestBid: undefined }, [0.3, 0.72]],
    ['no ask', { bestAsk: undefined }, [0.6, undefined]],
    ['a trade outside its wide book', { priceSource: 'trade' }, [0.6, 0.72]],
    ['a read book without a trade', { priceSource: 'untraded' }, [0.6, 0.72]],
    ['a carried price', { priceSource: 'carried' }, [undefined, undefined]],
    ['a price of the catalogue', { priceSource: 'catalogue' }, [undefined, undefined]],
    ['no negRisk', { negRisk: false }, [undefined, undefined]],
  ])('with a market with %s', async (_what, other, expected) => {
    expect(await sumsOf({}, other)).toEqual(expected);
  });
});
