import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assetIds,
  crawl,
  type Json,
  PAGE,
  type Page,
  page,
  type Rig,
  startRig,
  twoSided,
} from '../helpers.ts';

/** The keyset lists as upstream's newer documentation and observations have them. */
let rig: Rig;
let open: Json[];
beforeAll(async () => {
  rig = await startRig({ markets: 700, rateLimits: false });
  open = await crawl(rig);
});
afterAll(() => rig.close());

const ids = (markets: readonly Json[]) => markets.map((market) => market.id);
const sorted = (markets: readonly Json[]) => ids(markets).toSorted();
const list = (query: string) => crawl(rig, `/markets/keyset?limit=100&${query}`);
const EMPTY =
  '{"$schema":"https://gamma-api.polymarket.com/schemas/MarketsKeysetListResponse.json","markets":[]}\n';

describe('pages', () => {
  it('hold 20 markets unless told otherwise', async () => {
    expect((await page(rig, '/markets/keyset')).markets).toHaveLength(20);
    expect((await rig.get('/events/keyset')).body).toMatchObject({ events: { length: 20 } });
  });

  it('have a cursor when they are full, even the last one, which an empty page follows, byte for byte', async () => {
    const some = ids(open).slice(0, 4).join('&id=');
    const full = await page(rig, `/markets/keyset?limit=4&id=${some}`);
    expect(full.markets).toHaveLength(4);
    const after = await rig.get(`/markets/keyset?limit=4&id=${some}&after_cursor=${full.next_cursor}`);
    expect(after.text).toBe(EMPTY);
    expect(await page(rig, `/markets/keyset?limit=5&id=${some}`)).not.toHaveProperty('next_cursor');
  });

  it('refuse offset in upstream’s words', async () => {
    expect(await rig.get(`${PAGE}&offset=20`)).toMatchObject({
      status: 422,
      body: { type: 'validation error', error: 'offset is not allowed on keyset endpoints' },
    });
  });

  it.each(['volume', 'liquidity'])('sort by %s as text', async (order) => {
    const texts = (await list(`order=${order}&ascending=true`)).map((market) => String(market[order] ?? ''));
    expect(texts).toEqual(texts.toSorted((a, b) => (a < b ? -1 : 1)));
    const numbers = texts.map(Number);
    expect(numbers).not.toEqual(numbers.toSorted((a, b) => a - b));
  });
});

describe('filters', () => {
  it.each([
    ['volume_num_min=100000', (m: Json) => Number(m.volumeNum ?? -1) >= 99_999],
    ['volume_num_min=1000&volume_num_max=100000', (m: Json) => between(m.volumeNum, 999.9, 100_001)],
    ['liquidity_num_min=10000&volume_num_min=1', (m: Json) => Number(m.liquidityNum ?? -1) >= 9_999],
    ['liquidity_num_max=1000', (m: Json) => Number(m.liquidityNum ?? 1e9) <= 1_001],
    ['end_date_min=2026-12-01', (m: Json) => Date.parse(String(m.endDate)) >= Date.UTC(2026, 11, 1)],
    [
      'end_date_max=2026-11-01T00:00:00Z&volume_num_min=10',
      (m: Json) => Date.parse(String(m.endDate)) <= Date.UTC(2026, 10, 1),
    ],
    ['start_date_min=2026-10-01', (m: Json) => Date.parse(String(m.startDate)) >= Date.UTC(2026, 9, 1)],
  ])('%s is honoured', async (query, holds) => {
    const found = await list(query);
    expect(found.length).toBeGreaterThan(5);
    expect(found.length).toBeLessThan(open.length - 5);
    expect(found.every(holds)).toBe(true);
  });

  it('bands by volume cover the open markets that have one, each at least once', async () => {
    const bands = [
      'volume_num_min=0&volume_num_max=1000',
      'volume_num_min=1000&volume_num_max=50000',
      'volume_num_min=50000',
    ];
    const found = new Set<unknown>();
    for (const band of bands) for (const id of ids(await list(`order=volumeNum&${band}`))) found.add(id);
    expect([...found].sort()).toEqual(sorted(open.filter((market) => market.volumeNum !== undefined)));
  });

  it('condition_ids are compared in lower case and in both widths', async () => {
    const v2 = open.find((m) => m.version === 'v2' && String(m.conditionId).length === 64);
    for (const id of [
      v2?.conditionId,
      `${v2?.conditionId}00`,
      String(v2?.conditionId).toUpperCase().replace('0X', '0x'),
    ]) {
      expect(ids(await list(`condition_ids=${id}`))).toEqual([v2?.id]);
    }
    expect(await list(`condition_ids=0x${'0'.repeat(64)}`)).toEqual([]);
  });

  it('clob_token_ids match v1 markets, position_ids what carries them', async () => {
    const [v1, v2] = ['v1', 'v2'].map((version) => twoSided(open).find((m) => m.version === version) ?? {});
    expect(ids(await list(`clob_token_ids=${assetIds(v1 ?? {})[0]}`))).toEqual([v1?.id]);
    expect(await list(`clob_token_ids=${assetIds(v2 ?? {})[0]}`)).toEqual([]);
    expect(ids(await list(`position_ids=${assetIds(v2 ?? {})[0]}`))).toEqual([v2?.id]);
  });

  it('tag_id matches, closed markets come with closed=true only, and a comma list does not filter', async () => {
    const tagged = await list('tag_id=2&include_tag=true');
    expect(tagged.length).toBeGreaterThan(0);
    expect(tagged.every((m) => (m.tags as Json[]).some((tag) => tag.id === '2'))).toBe(true);
    const [closed] = await list('closed=true');
    expect(await list(`id=${closed?.id}`)).toEqual([]);
    expect(ids(await list(`id=${closed?.id}&closed=true`))).toEqual([closed?.id]);
    expect((await list('id=1,2')).length).toBe(open.length);
    expect((await list('negRiskMarketID=1')).length).toBe(open.length);
  });

  it.each(['volume_num_min=abc', 'end_date_min=soon', 'limit=x'])('%s is 422', async (query) => {
    expect((await rig.get(`/markets/keyset?${query}`)).status).toBe(422);
  });

  function between(value: unknown, min: number, max: number): boolean {
    return Number(value ?? -1) >= min && Number(value ?? -1) <= max;
  }
});

describe('GET /events/keyset', () => {
  const events = async (query: string) => {
    const found: Json[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await rig.get(`/events/keyset?limit=100&${query}${cursor}`);
      const { events: part, next_cursor } = body as { events: Json[]; next_cursor?: string };
      found.push(...part);
      if (next_cursor === undefined) return found;
      cursor = `&after_cursor=${next_cursor}`;
    }
  };

  it('lists events with whole markets and amounts as numbers', async () => {
    const found = await events('order=volume&ascending=false');
    expect(new Set(ids(found)).size).toBe(found.length);
    const byId = new Map(open.map((market) => [market.id, market]));
    for (const event of found.slice(0, 30)) {
      expect(typeof event.volume).toBe('number');
      expect(event.version).toMatch(/^v[12]$/);
      for (const market of event.markets as Json[]) {
        const known = byId.get(market.id);
        if (known === undefined) continue;
        for (const key of [
          'question',
          'conditionId',
          'version',
          'clobTokenIds',
          'positionIds',
          'volumeNum',
        ]) {
          expect(market[key]).toEqual(known[key]);
        }
      }
    }
    const volumes = found.map((event) => Number(event.volume ?? 0));
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  });

  it('is not complete: some listed markets have an event that is not listed', async () => {
    const listed = new Set((await events('')).map((event) => event.id));
    const eventOf = (market: Json) => (market.events as Json[] | undefined)?.[0]?.id;
    const missing = open.filter((market) => eventOf(market) !== undefined && !listed.has(eventOf(market)));
    expect(missing.length).toBeGreaterThan(0);
    expect(missing.length).toBeLessThan(open.length * 0.06);
  });

  it('leaves the markets out when told to, filters, and refuses cursors of the other list', async () => {
    expect((await events('include_markets=false')).every((event) => !('markets' in event))).toBe(true);
    const large = await events('volume_min=1000000');
    expect(large.length).toBeGreaterThan(0);
    expect(large.every((event) => Number(event.volume) >= 1_000_000)).toBe(true);
    const { next_cursor } = (await rig.get('/markets/keyset?limit=1')).body as Page;
    expect((await rig.get(`/events/keyset?after_cursor=${next_cursor}`)).status).toBe(422);
    expect((await rig.get('/events/keyset?offset=1')).status).toBe(422);
    expect((await rig.get('/events/keyset?order=volumeNum')).status).toBe(422);
  });
});
