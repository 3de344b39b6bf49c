/**
 * `npm run archive -- --past N` writes files with closed markets and their price histories, which
 * it reads from Polymarket. A run can take hours, so it continues where an interrupted one ended,
 * and a later run adds to its files. past-rig.ts describes the eight markets of its Polymarket in
 * memory, which have the letters a to f, 1 and 0.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { UpstreamError } from '../../../lambda/io/upstream/upstream-error.ts';
import {
  answer,
  closed,
  idOf,
  NOW,
  type PastRig,
  pastRig,
  RESOLUTIONS,
  resolved,
  rowsOf,
  run,
  tokenOf,
} from './past-rig.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
const TEN_MINUTES_MS = 600_000;

/** The bytes of the written files, as base64. */
const filesOf = ({ folder }: PastRig) =>
  ['markets.parquet', 'prices.parquet', 'manifest.json'].map((name) =>
    readFileSync(join(folder, 'archive/past', name)).toString('base64'),
  );

const isHistory = ({ pathname }: URL): boolean => pathname === '/v2/prices-history';

describe('an interrupted run', () => {
  const complete = pastRig('complete');
  const completed = run(complete);

  // Calls 1 to 5 read pages of markets, call 6 the resolutions, and calls 7 to 13 the histories.
  it.each([1, 3, 5, 6, 8, 10, 12])(
    'that ends at call %i of 13 continues to the same bytes',
    async (killedAt) => {
      const killed = pastRig(`killed-${killedAt}`, {
        respond(url) {
          if (killed.calls.length >= killedAt) throw new Error('killed');
          return answer(url);
        },
      });
      await expect(run(killed)).rejects.toThrow('killed');
      const resumed = pastRig(`killed-${killedAt}`);
      await run(resumed);
      await completed;
      expect(filesOf(resumed)).toEqual(filesOf(complete));
      expect(resumed.calls.length).toBeLessThanOrEqual(complete.calls.length);
    },
  );

  it('begins anew if another number of markets is requested', async () => {
    const killed = pastRig('other', {
      respond(url) {
        if (isHistory(url)) throw new Error('killed');
        return answer(url);
      },
    });
    await expect(run(killed)).rejects.toThrow('killed');
    const { files } = await run(pastRig('other', { requested: 1 }));
    // The closed market a and the open one, 0.
    expect(files[0]?.rows).toBe(2);
  });
});

describe('a later run', () => {
  /** Polymarket an hour later: market 0 has closed, and Gamma lists b and c no more. */
  function answerLater(url: URL): unknown {
    if (isHistory(url)) return answer(url);
    if (url.pathname === '/v2/resolutions') {
      const rows = [...RESOLUTIONS, resolved(idOf('0'), [1_000_000, 0])];
      return { data: rows.filter((row) => url.search.includes(row.condition_id)) };
    }
    return { markets: marketsLater(url.searchParams) };
  }

  /** The volume of market 0 is too low for the list of closed markets. Gamma finds it by its id. */
  function marketsLater(query: URLSearchParams) {
    const ids = query.getAll('condition_ids');
    if (ids.length > 0) return ids.includes(idOf('0')) ? [closed('0')] : [];
    if (query.get('closed') !== 'true') return [];
    return ['a', 'd', 'f', '1'].map((letter) => closed(letter));
  }

  const first = run(pastRig('later'));
  const later = pastRig('later', { respond: answerLater, now: NOW + HOUR_MS });
  const completed = first.then(() => run(later));
  const payoutOf = async (slug: string) => {
    await completed;
    return (await rowsOf(later, 'markets')).find((row) => row.slug === slug)?.payout;
  };

  it('adds the payout of a market that closed since', async () => {
    expect(await payoutOf('market-0')).toBe(1);
  });

  it('keeps a market that Gamma has lost', async () => {
    expect(await payoutOf('market-b')).toBe(0.5);
    expect(await rowsOf(later, 'markets')).toHaveLength(7);
  });

  it('reads only histories that can have changed', async () => {
    await completed;
    const tokens = later.calls.flatMap((path) => /token_id=(\d+)/.exec(path)?.[1] ?? []);
    // In the first run d had no history, f was not resolved, the call of 1 failed, and 0 was open.
    expect(tokens.sort()).toEqual(['d', 'f', '1', '0'].map(tokenOf).sort());
  });
});

describe('while upstream is away', () => {
  const away = new UpstreamError({ route: 'v2-prices-history', failure: 'network' });

  it.each([
    { calls: 'all calls', isAway: () => true },
    { calls: 'histories', isAway: isHistory },
  ])('for $calls, a run waits ten minutes, says so and loses nothing', async (outage) => {
    /** Whether the progress, which the console shows, has named the outage. */
    let saysSo = false;
    const waiting: PastRig = pastRig(`away-${outage.calls}`, {
      respond(url) {
        saysSo ||= waiting.past.progress.includes('Polymarket does not answer');
        const isOver = saysSo && waiting.clock.now() >= NOW + TEN_MINUTES_MS;
        if (outage.isAway(url) && !isOver) throw away;
        return answer(url);
      },
    });
    const { missing } = await run(waiting);
    expect(saysSo).toBe(true);
    expect(waiting.clock.now()).toBeGreaterThanOrEqual(NOW + TEN_MINUTES_MS);
    // The markets d, e, f and 1, which lack something in a run without an outage too.
    expect(missing).toHaveLength(4);
    expect(waiting.past.progress).not.toContain('Polymarket does not answer');
  });

  it('a run that upstream rejects ends, and continues later', async () => {
    const rejected = pastRig('rejected', {
      respond(url) {
        if (isHistory(url))
          throw new UpstreamError({ route: 'v2-prices-history', failure: 'status', status: 403 });
        return answer(url);
      },
    });
    await expect(run(rejected)).rejects.toThrow('status 403');
    expect((await run(pastRig('rejected'))).calls).toMatchObject({ 'v2-prices-history': 7 });
  });

  it('a history that alone always fails is missing, with the reason', async () => {
    const respond = (url: URL) => {
      if (url.searchParams.get('token_id') === tokenOf('b')) throw away;
      return answer(url);
    };
    const { missing } = await run(pastRig('failing', { respond }));
    expect(missing).toContainEqual({
      id: idOf('b'),
      part: 'prices',
      reason: 'v2-prices-history: network',
    });
  });
});
