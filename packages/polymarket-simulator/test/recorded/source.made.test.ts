import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startUpstream } from '../../src/server.ts';
import { crawl, historyOf, type Json, NOW, type Rig, startRig, token, twoSided } from '../helpers.ts';

const NOW_S = NOW / 1_000;
const AN_HOUR_AGO = Math.floor(NOW_S) - 3_600;

/** A folder in the form of recordings, made by the simulator itself: for a clone that has no recordings. */
describe('recordings that are made up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'made-recordings-'));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  let catalogue: Json[];
  let rig: Rig;
  let withBook = '';
  let oneSided = '';

  beforeAll(async () => {
    const source = await startRig({ markets: 120, rateLimits: false });
    const write = (file: string, content: unknown) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), JSON.stringify(content));
    };
    const [envelope, other, ...rest] = twoSided(await crawl(source));
    catalogue = [other ?? {}, ...rest];
    withBook = token(envelope);
    oneSided = token(other);
    const book = async (id: string) => (await source.get(`/book?token_id=${id}`)).body as Json;
    write('gamma-markets.json', catalogue);
    write('envelopes/markets-keyset-limit-1.json', { markets: [envelope] });
    write('books/two-sided.json', await book(withBook));
    write('books/one-sided.json', { ...(await book(oneSided)), bids: [] });
    for (const [name, query] of [
      ['1h', 'interval=1h'],
      ['1d', 'interval=1d'],
      ['1w-f5', 'interval=1w&fidelity=5'],
      ['1m-f10', 'interval=1m&fidelity=10'],
    ])
      write(
        `prices-history/interval-${name}.json`,
        (await source.get(`/prices-history?market=${withBook}&${query}`)).body,
      );
    write('prices-history/four-points.json', {
      history: [0.2, 0.3, 0.35, 0.25].map((p, n) => ({ t: AN_HOUR_AGO + n * 600, p })),
    });
    await source.close();
    rig = await startRig({ recordings: folder });
  });
  afterAll(async () => {
    await rig.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are served as they are: markets and books', async () => {
    const served = new Map((await crawl(rig)).map((market) => [market.id, market]));
    expect(served.size).toBe(catalogue.length);
    for (const market of catalogue) expect(served.get(market.id)).toEqual(market);
    for (const [id, file] of [
      [withBook, 'two-sided'],
      [oneSided, 'one-sided'],
    ])
      expect((await rig.get(`/book?token_id=${id}`)).body).toEqual(JSON.parse(read(`books/${file}.json`)));
  });

  it('give a midpoint to a book without bids: its missing side counts as 0', async () => {
    const { asks } = JSON.parse(read('books/one-sided.json')) as { asks: Json[] };
    const { body } = await rig.post('/midpoints', [{ token_id: oneSided }]);
    expect(Number((body as Json)[oneSided])).toBeCloseTo(Number(asks.at(-1)?.price) / 2, 9);
  });

  it('have histories that end now, with every point of the file', async () => {
    const points = historyOf(await rig.get(`/prices-history?market=${oneSided}&interval=1d`));
    expect(points.map(({ p }) => p)).toEqual([0.2, 0.3, 0.35, 0.25]);
    expect(points.map(({ t }) => t - Math.floor(NOW_S))).toEqual([-1_800, -1_200, -600, 0]);
    const hour = JSON.parse(read('prices-history/interval-1h.json')) as { history: Json[] };
    const served = historyOf(await rig.get(`/prices-history?market=${withBook}&interval=1h`));
    expect(served.map(({ p }) => p)).toEqual(hour.history.map(({ p }) => p));
  });

  it.each([
    'books/one-sided.json',
    'prices-history/interval-1w-f5.json',
    'envelopes/markets-keyset-limit-1.json',
  ])('name %s when it is missing or damaged', async (file) => {
    const whole = read(file);
    try {
      rmSync(join(folder, file));
      await expect(startUpstream({ recordings: folder })).rejects.toThrow(
        `${join(folder, file)}, but there is no such file.`,
      );
      writeFileSync(join(folder, file), '{');
      await expect(startUpstream({ recordings: folder })).rejects.toThrow('does not hold JSON.');
      writeFileSync(join(folder, file), '{}');
      await expect(startUpstream({ recordings: folder })).rejects.toThrow(/does not hold an? /);
    } finally {
      writeFileSync(join(folder, file), whole);
    }
  });
});
