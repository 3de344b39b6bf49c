import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startUpstream } from '../../src/server.ts';
import { crawl, historyOf, type Json, NOW, type Rig, startRig, token } from '../helpers.ts';

const FOLDER = process.env.RECORDINGS ?? join(import.meta.dirname, '../../../../../shared/recordings');
const present = existsSync(join(FOLDER, 'gamma-markets.json'));
if (!present)
  console.warn(`Skipped: the tests with recorded responses need ${FOLDER}; set RECORDINGS to their folder.`);

const NOW_S = Math.floor(NOW / 1_000);
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

(present ? describe : describe.skip)('recordings', () => {
  let rig: Rig;
  let markets: Json[];
  const book = (name: string) =>
    JSON.parse(read(`books/${name}.json`)) as { asset_id: string; bids: Json[]; asks: Json[] };
  const history = async (id: string, query: string) =>
    historyOf(await rig.get(`/prices-history?market=${id}&${query}`));
  const midpoint = async (id: string) =>
    ((await rig.post('/midpoints', [{ token_id: id }])).body as Record<string, string>)[id];

  beforeAll(async () => {
    rig = await startRig({ recordings: FOLDER });
    markets = await crawl(rig);
  });
  afterAll(() => rig.close());

  it('serves exactly the 798 recorded markets, as they were', () => {
    const recorded = JSON.parse(read('gamma-markets.json')) as Json[];
    expect(markets).toHaveLength(798);
    const byId = new Map(markets.map((market) => [market.id, market]));
    for (const market of recorded) expect(byId.get(market.id)).toEqual(market);
  });

  it('serves the recorded books byte for byte', async () => {
    const { asset_id } = book('two-sided');
    expect((await rig.get(`/book?token_id=${asset_id}`)).text.trim()).toBe(
      read('books/two-sided.json').trim(),
    );
    const oneSided = book('one-sided');
    expect((await rig.get(`/book?token_id=${oneSided.asset_id}`)).body).toEqual(oneSided);
    // No bid counts as 0.
    expect(Number(await midpoint(oneSided.asset_id))).toBe(Number(oneSided.asks.at(-1)?.price) / 2);
    expect(await midpoint(asset_id)).toBe('0.505');
  });

  it('knows the token of the envelope market, which is not in the catalogue, and mirrors its book', async () => {
    const { asset_id, bids } = book('two-sided');
    const envelope = JSON.parse(read('envelopes/markets-keyset-limit-1.json')) as { markets: Json[] };
    expect(token(envelope.markets[0])).toBe(asset_id);
    expect(markets.some((market) => token(market) === asset_id)).toBe(false);
    const other = (await rig.get(`/book?token_id=${token(envelope.markets[0], 1)}`))
      .body as typeof envelope & { asks: Json[] };
    expect(other.asks.map(({ size }) => size)).toEqual(bids.map(({ size }) => size));
  });

  it.each([
    ['interval=1h', 62],
    ['interval=1d', 1_440],
    ['interval=1w&fidelity=5', 2_013],
    ['interval=1m&fidelity=10', 4_456],
  ])('serves the recorded history of %s, moved to now', async (query, count) => {
    const points = await history(book('two-sided').asset_id, query);
    expect(points).toHaveLength(count);
    expect(points.at(-1)?.t).toBe(NOW_S);
    const list = points.map(({ t }) => t);
    expect(list).toEqual([...list].sort((a, b) => a - b));
  });

  it('thins and cuts a recorded history to what is asked', async () => {
    const { asset_id } = book('two-sided');
    expect((await history(asset_id, 'interval=1d&fidelity=60')).length).toBeLessThan(28);
    const cut = await history(asset_id, `startTs=${NOW_S - 40_000}&endTs=${NOW_S - 20_000}&fidelity=10`);
    expect(cut.at(-1)?.t).toBe(NOW_S);
    expect(cut.at(-2)?.t).toBeLessThanOrEqual(NOW_S - 20_000);
    expect(cut[0]?.t).toBeGreaterThanOrEqual(NOW_S - 40_000);
    expect(await history(book('one-sided').asset_id, 'interval=1d')).toEqual([
      { t: NOW_S - 3_900, p: 0.42 },
      { t: NOW_S - 3_600, p: 0.5 },
      { t: NOW_S - 300, p: 0.65 },
      { t: NOW_S, p: 0.6 },
    ]);
  });

  it('derives midpoints from bestBid and bestAsk, with an empty side as 0 or 1', async () => {
    for (let start = 0; start < markets.length; start += 250) {
      const part = markets.slice(start, start + 250);
      const asked = part
        .flatMap((market) => [token(market), token(market, 1)])
        .map((token_id) => ({ token_id }));
      const mids = (await rig.post('/midpoints', asked)).body as Record<string, string>;
      // A recorded book wins over what its market says.
      for (const market of part.filter((one) => token(one) !== book('one-sided').asset_id)) {
        const bid = Number(market.bestBid ?? 0);
        const ask = Number(market.bestAsk ?? 1);
        for (const [outcome, middle] of [(bid + ask) / 2, 1 - (bid + ask) / 2].entries()) {
          expect(Number(mids[token(market, outcome)])).toBeCloseTo(middle, 9);
        }
      }
    }
  });

  it('derives books and histories that end at the recorded quote, the same ones each time', async () => {
    const later = await startRig({ recordings: FOLDER });
    for (const market of markets
      .filter((m) => m.bestBid !== undefined && Number(m.bestAsk) < 1)
      .slice(0, 15)) {
      const id = token(market);
      const { bids, asks } = (await rig.get(`/book?token_id=${id}`)).body as { bids: Json[]; asks: Json[] };
      expect(Number(bids.at(-1)?.price)).toBe(market.bestBid);
      expect(Number(asks.at(-1)?.price)).toBe(market.bestAsk);
      const points = await history(id, 'interval=1w&fidelity=60');
      expect(points.at(-1)).toEqual({ t: NOW_S, p: Number(await midpoint(id)) });
      expect(historyOf(await later.get(`/prices-history?market=${id}&interval=1w&fidelity=60`))).toEqual(
        points,
      );
    }
    await later.close();
  });

  it('keeps its markets when asked for another number, but can serve a share', () => {
    expect(() => rig.changeDataset({ markets: 10 })).toThrow(/"markets" is fixed/);
    rig.changeDataset({ share: 0.5 });
    expect(rig.state().markets).toBeLessThan(500);
    rig.changeDataset({ share: 1 });
  });

  it.each([
    'books/one-sided.json',
    'prices-history/interval-1w-f5.json',
    'envelopes/markets-keyset-limit-1.json',
  ])('names %s when it is missing or damaged', async (file) => {
    const copy = mkdtempSync(join(tmpdir(), 'recordings-'));
    try {
      cpSync(FOLDER, copy, { recursive: true, filter: (source) => !source.endsWith(file) });
      await expect(startUpstream({ recordings: copy })).rejects.toThrow(
        `${join(copy, file)}, but there is no such file.`,
      );
      writeFileSync(join(copy, file), '{');
      await expect(startUpstream({ recordings: copy })).rejects.toThrow('does not hold JSON.');
      writeFileSync(join(copy, file), '{}');
      await expect(startUpstream({ recordings: copy })).rejects.toThrow(/does not hold an? /);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
