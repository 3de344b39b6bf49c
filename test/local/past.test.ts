import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import type { callOnce } from '../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { Past } from '../../local/past/past.ts';
import { gammaRecord } from '../support/gamma-record.ts';
import { ManualClock, whileTimePasses } from '../support/manual-clock.ts';
import { parquetRows } from '../support/parquet.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

const NOW = Date.parse('2026-11-24T12:00:00Z');
const BUCKET = 10_800;
const FIRST = 1_780_272_000;
const root = mkdtempSync(join(tmpdir(), 'market-data-proxy-past-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The condition id of a market with a letter. */
const idOf = (letter: string): string => `0x${letter.repeat(64)}`;
const tokenOf = (letter: string): string => String(letter.charCodeAt(0));

function closed(letter: string, overrides: object = {}) {
  return gammaRecord({
    conditionId: idOf(letter),
    slug: `market-${letter}`,
    clobTokenIds: JSON.stringify([tokenOf(letter), `${tokenOf(letter)}0`]),
    closed: true,
    closedTime: '2026-06-04 00:34:19+00',
    ...overrides,
  });
}

const V2_ID = `0x01${'c'.repeat(32)}${'0'.repeat(28)}`;
const PAGES = {
  true: [
    [closed('a'), closed('b')],
    [
      closed('b'),
      closed('c', {
        version: 'v2',
        conditionId: V2_ID,
        clobTokenIds: null,
        positionIds: ['99', '98'],
      }),
    ],
    [closed('d'), closed('e', { version: 'v9' })],
    [closed('f'), closed('1')],
  ],
  false: [[closed('0', { closed: false })]],
};
const resolved = (id: string, payouts: readonly number[]) => ({
  condition_id: id,
  status: 'resolved',
  payouts,
  resolved_at: '2026-06-04T02:00:00Z',
});
const RESOLUTIONS = [
  resolved(idOf('a'), [1_000_000, 0]),
  resolved(idOf('b'), [500_000, 500_000]),
  resolved(V2_ID.padEnd(66, '0'), [0, 1_000_000]),
  resolved(idOf('d'), [0, 1_000_000]),
  resolved(idOf('1'), [0, 1_000_000]),
  { condition_id: idOf('f'), status: 'proposed' },
];
const point = (timestamp: number, price: number, resolution_seconds = BUCKET) => ({
  timestamp,
  price,
  resolution_seconds,
});
/** Three years of buckets, the newest observation and the payout. */
const LONG = Array.from({ length: 8_760 }, (_, n) =>
  point(FIRST + n * BUCKET, (n % 99) / 100 + 0.01),
);
const HISTORIES: Readonly<Record<string, unknown[]>> = {
  [tokenOf('a')]: [
    ...LONG,
    point(FIRST + 8_760 * BUCKET - 55, 0.98, 0),
    point(FIRST + 8_760 * BUCKET, 1, 0),
  ],
  [tokenOf('b')]: [point(FIRST, 0.4), point(FIRST + BUCKET, 0.5)],
  '99': [point(FIRST, 0.2)],
  [tokenOf('f')]: [point(FIRST, 0.3)],
  // The last three buckets end after the run begins.
  [tokenOf('0')]: [0, 1, 2, 3].map((n) => point(NOW / 1_000 - (4 - n) * BUCKET + BUCKET / 2, 0.6)),
};

/** Answers as Polymarket does, in pages of two markets. */
function answer(url: URL): unknown {
  const { searchParams: query, pathname } = url;
  if (pathname === '/v2/resolutions') {
    const wanted = query.get('condition')?.split(',');
    return { data: RESOLUTIONS.filter((row) => wanted?.includes(row.condition_id)) };
  }
  if (pathname === '/v2/prices-history') {
    const token = query.get('token_id') ?? '';
    if (token === tokenOf('1'))
      throw new UpstreamError({ route: 'v2-prices-history', failure: 'status', status: 400 });
    return { data: HISTORIES[token] ?? [], pagination: { has_more: false, next_cursor: null } };
  }
  const pages = PAGES[query.get('closed') as 'true' | 'false'];
  const ids = query.getAll('condition_ids');
  if (ids.length > 0)
    return { markets: pages.flat().filter(({ conditionId }) => ids.includes(String(conditionId))) };
  const place = Number(query.get('after_cursor') ?? 0);
  return {
    markets: pages[place],
    next_cursor: place < pages.length - 1 ? String(place + 1) : undefined,
  };
}

interface Rig {
  readonly folder: string;
  readonly calls: string[];
  readonly clock: ManualClock;
  readonly past: Past;
}

/** A run with an upstream of its own. */
function rig(
  name: string,
  options: { respond?: typeof answer; requested?: number; now?: number } = {},
): Rig {
  const { respond = answer, requested = 20, now = NOW } = options;
  const folder = join(root, name);
  const clock = new ManualClock(now);
  const calls: string[] = [];
  const call: typeof callOnce = async (_clock, { url }) => {
    calls.push(url.pathname + url.search);
    return { body: respond(url), cachedMs: 0 };
  };
  const common = { baseUrl: 'http://upstream.example', clock, random: () => 0.5, call };
  const past = new Past({
    requested,
    state: new FolderStore(join(folder, 'past')),
    archive: new FolderStore(join(folder, 'archive')),
    origin: { version: '1.0.0', commit: 'abc', upstream: 'simulated', stage: 'local' },
    gamma: new Upstream('gamma', common),
    data: new Upstream('data', common),
    clock,
  });
  return { folder, calls, clock, past };
}

const NAMES = ['markets.parquet', 'prices.parquet', 'manifest.json'] as const;
const bytesOf = (folder: string) =>
  NAMES.map((name) => readFileSync(join(folder, 'archive/past', name)).toString('base64'));
const rowsOf = (folder: string, name: 'markets' | 'prices') =>
  parquetRows(readFileSync(join(folder, `archive/past/${name}.parquet`)));
const run = ({ clock, past }: Rig) => whileTimePasses(clock, past.run(), 1_000);

describe('a past', () => {
  const whole = rig('whole');
  const manifest = run(whole);

  it('has each readable market once, with its payout, in the order of ids', async () => {
    await manifest;
    const rows = await rowsOf(whole.folder, 'markets');
    expect(rows.map(({ slug, payout }) => [slug, payout])).toEqual([
      ['market-0', null],
      // Its id begins with 0x01.
      ['market-c', 0],
      ['market-1', 0],
      ['market-a', 1],
      ['market-b', 0.5],
      ['market-d', 0],
      ['market-f', null],
    ]);
    const [a] = rows.filter(({ slug }) => slug === 'market-a');
    expect(a).toMatchObject({
      condition_id: idOf('a'),
      volume: 1106596.587114,
      closed_at: new Date('2026-06-04T00:34:19Z'),
      resolved_at: new Date('2026-06-04T02:00:00Z'),
      first_time: new Date(FIRST * 1_000),
      last_time: new Date((FIRST + 8_760 * BUCKET - 55) * 1_000),
    });
  });

  it('has each price that upstream sent, without the payout', async () => {
    await manifest;
    const rows = await rowsOf(whole.folder, 'prices');
    const found = (letter: string) => rows.filter(({ id }) => id === idOf(letter));
    const sent = HISTORIES[tokenOf('a')]?.slice(0, -1) as typeof LONG;
    expect(found('a').map(({ time, p }) => [Number(time) / 1_000, p])).toEqual(
      sent.map(({ timestamp, price }) => [timestamp, price]),
    );
    expect(rows.filter(({ id }) => id === V2_ID)).toEqual([
      { id: V2_ID, time: new Date(FIRST * 1_000), p: 0.2 },
    ]);
  });

  it('has only those buckets of an open market that ended before the run', async () => {
    await manifest;
    const rows = await rowsOf(whole.folder, 'prices');
    expect(rows.filter(({ id }) => id === idOf('0'))).toHaveLength(3);
  });

  it('says what is missing and why, and which calls it made', async () => {
    expect(await manifest).toMatchObject({
      asOf: '2026-11-24T12:00:00.000Z',
      requested: 20,
      calls: { 'markets-keyset': 5, 'v2-resolutions': 1, 'v2-prices-history': 7 },
      missing: [
        { id: idOf('e'), part: 'market', reason: 'version_unknown' },
        { id: idOf('f'), part: 'payout', reason: 'not_resolved' },
        { id: idOf('1'), part: 'prices', reason: 'v2-prices-history: status 400' },
        { id: idOf('d'), part: 'prices', reason: 'empty_history' },
      ],
    });
  });

  it('has as many closed markets as requested, those of highest volume', async () => {
    const few = rig('few', { requested: 3 });
    await run(few);
    const slugs = (await rowsOf(few.folder, 'markets')).map(({ slug }) => slug);
    expect(slugs).toEqual(['market-0', 'market-c', 'market-a', 'market-b']);
  });
});

describe('an interrupted run', () => {
  it.each([1, 3, 5, 6, 8, 10, 12])(
    'that ends at call %i continues to the same bytes',
    async (killedAt) => {
      const complete = rig(`complete-${killedAt}`);
      await run(complete);
      const killed = rig(`killed-${killedAt}`, {
        respond(url) {
          if (killed.calls.length >= killedAt) throw new Error('killed');
          return answer(url);
        },
      });
      await expect(run(killed)).rejects.toThrow('killed');
      const resumed = rig(`killed-${killedAt}`);
      await run(resumed);
      expect(bytesOf(resumed.folder)).toEqual(bytesOf(complete.folder));
      expect(resumed.calls.length).toBeLessThanOrEqual(complete.calls.length);
    },
  );

  it('begins anew if another number of markets is requested', async () => {
    const respond = (url: URL) => {
      if (url.pathname === '/v2/prices-history') throw new Error('killed');
      return answer(url);
    };
    await expect(run(rig('other', { respond }))).rejects.toThrow('killed');
    expect((await run(rig('other', { requested: 1 }))).files[0]?.rows).toBe(2);
  });
});

describe('a later run', () => {
  it('adds what closed since, keeps the others, and reads no final history again', async () => {
    const name = 'later';
    await run(rig(name));
    const [first, ...pages] = PAGES.true;
    // Market 0 has closed with little volume, and Gamma has lost market b.
    const respond = (url: URL): unknown => {
      const ids = url.searchParams.getAll('condition_ids');
      if (url.pathname === '/v2/resolutions') {
        const rows = [...RESOLUTIONS, resolved(idOf('0'), [1_000_000, 0])];
        return { data: rows.filter((row) => url.search.includes(row.condition_id)) };
      }
      if (ids.length > 0) return { markets: ids.includes(idOf('0')) ? [closed('0')] : [] };
      if (url.pathname !== '/markets/keyset') return answer(url);
      const isClosed = url.searchParams.get('closed') === 'true';
      return { markets: isClosed ? [first?.[0], ...pages.slice(1).flat()] : [] };
    };
    const again = rig(name, { respond, now: NOW + 3_600_000 });
    await run(again);
    const rows = await rowsOf(again.folder, 'markets');
    expect(rows).toHaveLength(7);
    expect(rows.find(({ slug }) => slug === 'market-0')).toMatchObject({ payout: 1 });
    expect(rows.find(({ slug }) => slug === 'market-b')).toMatchObject({ payout: 0.5 });
    const tokens = again.calls.flatMap((path) => /token_id=(\d+)/.exec(path)?.[1] ?? []);
    // Of the others: no history yet, not resolved, a failed call, open at that time.
    const unread = ['d', 'f', '1', '0'].map(tokenOf);
    expect(tokens.sort()).toEqual(unread.sort());
  });
});

describe('while upstream is away', () => {
  const away = new UpstreamError({ route: 'v2-prices-history', failure: 'network' });

  it.each([
    ['all the time', () => true],
    ['for histories', ({ pathname }: URL) => pathname === '/v2/prices-history'],
  ])('for ten minutes, %s, a run waits, says so and loses nothing', async (what, isAway) => {
    let isSaid = false;
    const waiting: Rig = rig(`away-${what}`, {
      respond(url) {
        isSaid ||= waiting.past.progress.includes('Polymarket does not answer');
        if (isAway(url) && (!isSaid || waiting.clock.now() < NOW + 600_000)) throw away;
        return answer(url);
      },
    });
    const { missing } = await run(waiting);
    expect(isSaid).toBe(true);
    expect(waiting.clock.now()).toBeGreaterThanOrEqual(NOW + 600_000);
    expect(missing).toHaveLength(4);
    expect(waiting.past.progress).not.toContain('Polymarket does not answer');
  });

  it('a run that upstream rejects ends, and continues later', async () => {
    const forbidden = { route: 'v2-prices-history', failure: 'status', status: 403 } as const;
    const respond = (url: URL) => {
      if (url.pathname === '/v2/prices-history') throw new UpstreamError(forbidden);
      return answer(url);
    };
    await expect(run(rig('rejected', { respond }))).rejects.toThrow('status 403');
    expect((await run(rig('rejected'))).calls).toMatchObject({ 'v2-prices-history': 7 });
  });

  it('a history that alone always fails is missing, with the reason', async () => {
    const respond = (url: URL) => {
      if (url.searchParams.get('token_id') === tokenOf('b')) throw away;
      return answer(url);
    };
    const { missing } = await run(rig('poison', { respond }));
    expect(missing).toContainEqual({
      id: idOf('b'),
      part: 'prices',
      reason: 'v2-prices-history: network',
    });
  });
});
