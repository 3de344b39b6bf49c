/**
 * `npm run archive -- --simulate 14d` writes an archive without a server: the files of some days of
 * a simulated Polymarket. It contains every case that a reader of an archive must handle.
 */
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../../lambda/core/domain/time.ts';
import { simulateArchive } from '../../local/simulator/archive/simulated-archive.ts';
import { ArchiveRig } from '../lambda/jobs/archive/archive-rig.ts';
import { parquetRows } from '../support/parquet.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const NOW = Date.parse('2026-11-22');
const DAYS = 4;

/** A simulated archive: its files by path. */
async function simulated(): Promise<Map<string, Uint8Array>> {
  const { store, files } = new ArchiveRig();
  await simulateArchive(store, { days: DAYS, now: NOW, stepMs: 30 * MINUTE_MS });
  return files;
}

describe('a simulated archive', () => {
  let files: Map<string, Uint8Array>;
  /** The rows of a kind of files, such as `prices`, of all days. */
  async function rows(kind: string) {
    const paths = [...files.keys()].filter((path) => path.startsWith(`${kind}/`)).sort();
    const days = paths.map((path) => parquetRows(files.get(path) ?? new Uint8Array()));
    return (await Promise.all(days)).flat();
  }
  beforeAll(async () => {
    files = await simulated();
  });

  it('has prices of every source, and trades with and without sides', async () => {
    const kinds = (await rows('prices')).map(({ source, bid, priced_at }) => {
      const sides = bid === null ? 'without sides' : 'with sides';
      return `${source} ${sides}${priced_at === null ? '' : ', of an earlier time'}`;
    });
    expect([...new Set(kinds)]).toEqual(
      expect.arrayContaining([
        'book with sides',
        'trade with sides',
        'trade without sides',
        'carried with sides, of an earlier time',
        'untraded with sides, of an earlier time',
        'catalogue with sides, of an earlier time',
      ]),
    );
  });

  it('has sizes at the prices of books that were read, and no others', async () => {
    const cases = (await rows('prices')).map(({ source, bid, bid_size, ask_size }) => {
      const isRead = bid !== null && source !== 'carried' && source !== 'catalogue';
      const sizes = [bid_size, ask_size].filter((size) => size !== null);
      return `${isRead ? 'a book' : 'no book'} with ${sizes.length} sizes`;
    });
    expect(new Set(cases)).toEqual(new Set(['a book with 2 sizes', 'no book with 0 sizes']));
  });

  it('has markets that left the list because of their rank, and others that were closed', async () => {
    const reasons = new Set((await rows('markets')).map(({ left_reason }) => left_reason));
    expect(reasons).toEqual(new Set([null, 'rank', 'delisted']));
  });

  it('has a split payout', async () => {
    expect((await rows('outcomes')).some(({ payout }) => payout === 0.5)).toBe(true);
  });

  it('has a market that is resolved a second time, the other way', async () => {
    const outcomes = Map.groupBy(await rows('outcomes'), ({ id }) => id);
    const twice = [...outcomes.values()].filter(({ length }) => length > 1);
    expect(twice.length).toBeGreaterThan(0);
    for (const [first, second, ...more] of twice) {
      expect(more).toEqual([]);
      expect(Number(second?.known_at) - Number(first?.known_at)).toBeGreaterThanOrEqual(DAY_MS);
      expect([0, 1]).toContain(second?.payout);
      expect(second?.payout).toBe(1 - Number(first?.payout));
    }
  });

  /** The planned ends of each market, one a day. */
  const plannedEnds = async () => {
    const ends = new Map<unknown, number[]>();
    for (const { id, end_date } of await rows('markets'))
      ends.set(id, [...(ends.get(id) ?? []), Number(end_date)]);
    return ends;
  };

  it('has markets that are resolved before their planned end', async () => {
    const ends = await plannedEnds();
    const early = (await rows('outcomes')).filter(
      ({ id, resolved_at }) =>
        resolved_at && Number(resolved_at) < Math.max(...(ends.get(id) ?? [])),
    );
    expect(early.length).toBeGreaterThan(10);
  });

  it('has markets whose planned end moves', async () => {
    const ends = [...(await plannedEnds()).values()];
    expect(ends.filter((days) => new Set(days).size > 1).length).toBeGreaterThan(0);
  });

  // The job gives up a market whose payout it has not found for long: this outcome has no payout.
  it('has an outcome that was given up on each of the first three days', async () => {
    const given = (await rows('outcomes')).filter(({ payout }) => payout === null);
    expect(given.map(({ resolved_at, left_reason }) => [resolved_at, left_reason])).toEqual(
      Array(3).fill([null, 'delisted']),
    );
    const days = given.map(({ known_at }) => Math.floor(Number(known_at) / DAY_MS));
    expect(new Set(days).size).toBe(3);
  });

  it('has changes that the API doubted', async () => {
    const doubts = new Set((await rows('prices')).map(({ doubtful_changes }) => doubtful_changes));
    expect(doubts).toEqual(new Set([null, 'sevenDayPriceChange']));
  });

  it('has rules, some of them without a source, and markets without any', async () => {
    const manifest = JSON.parse(
      Buffer.from(files.get('manifest/date=2026-11-21.json') ?? '').toString(),
    );
    expect(manifest).toMatchObject({ upstream: 'simulated', maxMarkets: 300 });
    expect(manifest.rules.found).toBeLessThan(manifest.rules.expected);
    const sources = new Set((await rows('rules')).map(({ source }) => source === null));
    expect(sources).toEqual(new Set([true, false]));
  });

  it('has the same bytes when it is written again', async () => {
    const again = await simulated();
    expect([...again.keys()]).toEqual([...files.keys()]);
    const differing = [...files].filter(
      ([path, bytes]) => !Buffer.from(bytes).equals(again.get(path) ?? Buffer.of()),
    );
    expect(differing.map(([path]) => path)).toEqual([]);
  });
});
