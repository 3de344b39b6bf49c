/**
 * A past is a set of files with closed markets and their price histories, which
 * `npm run archive -- --past N` reads from Polymarket (the class `Past`). Here it reads them from a
 * Polymarket in memory, which has eight markets by letter:
 *
 * - a: has three years of prices, and resolved to YES
 * - b: Gamma lists it on two pages; its payout is split
 * - c: is of Protocol V2
 * - d: has no history
 * - e: has an unknown version, so it is unreadable
 * - f: is closed, but not resolved yet
 * - 1: Polymarket rejects the call of its history
 * - 0: is open
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { Upstream } from '../../../lambda/io/upstream/client.ts';
import type { callOnce } from '../../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../../lambda/io/upstream/upstream-error.ts';
import { FolderStore } from '../../../local/folder-store.ts';
import { Past } from '../../../local/past/past.ts';
import { gammaRecord } from '../../support/gamma-record.ts';
import { ManualClock, whileTimePasses } from '../../support/manual-clock.ts';
import { parquetRows } from '../../support/parquet.ts';

export const NOW = Date.parse('2026-11-24T12:00:00Z');
/** Upstream's buckets of three hours, in seconds. */
export const BUCKET = 10_800;
/** The time of the oldest price, in Unix seconds. */
export const FIRST = Date.parse('2026-06-01T00:00:00Z') / 1_000;
/** Three years of buckets. */
export const LONG_HISTORY_BUCKETS = 8_760;

/** The condition id of a market with a letter. */
export const idOf = (letter: string): string => `0x${letter.repeat(64)}`;
export const tokenOf = (letter: string): string => String(letter.charCodeAt(0));
/** Market c. The id of a market of Protocol V2 begins with 0x01. */
export const V2_ID = `0x01${'c'.repeat(32)}${'0'.repeat(28)}`;

/** Gamma's record of a closed market with a letter. */
export function closed(letter: string, overrides: object = {}) {
  return gammaRecord({
    conditionId: idOf(letter),
    slug: `market-${letter}`,
    clobTokenIds: JSON.stringify([tokenOf(letter), `${tokenOf(letter)}0`]),
    closed: true,
    closedTime: '2026-06-04 00:34:19+00',
    ...overrides,
  });
}

/** The tokens of market c, which Gamma names in another field. */
const V2_TOKENS = [tokenOf('c'), `${tokenOf('c')}0`] as const;
const V2_FIELDS = {
  version: 'v2',
  conditionId: V2_ID,
  clobTokenIds: null,
  positionIds: V2_TOKENS,
};
/** Gamma's pages of closed and of open markets, by falling volume. */
const PAGES = {
  closed: [
    [closed('a'), closed('b')],
    [closed('b'), closed('c', V2_FIELDS)],
    [closed('d'), closed('e', { version: 'v9' })],
    [closed('f'), closed('1')],
  ],
  open: [[closed('0', { closed: false })]],
};

/** The Data API's record of a resolution. @param payouts of both outcomes, in millionths */
export const resolved = (id: string, payouts: readonly number[]) => ({
  condition_id: id,
  status: 'resolved',
  payouts,
  resolved_at: '2026-06-04T02:00:00Z',
});
export const RESOLUTIONS = [
  resolved(idOf('a'), [1_000_000, 0]),
  resolved(idOf('b'), [500_000, 500_000]),
  resolved(V2_ID.padEnd(66, '0'), [0, 1_000_000]),
  resolved(idOf('d'), [0, 1_000_000]),
  resolved(idOf('1'), [0, 1_000_000]),
  { condition_id: idOf('f'), status: 'proposed' },
];

/** A point of a history. @param resolution_seconds 0 for a single observation and for the payout */
const point = (timestamp: number, price: number, resolution_seconds = BUCKET) => ({
  timestamp,
  price,
  resolution_seconds,
});
const afterLast = FIRST + LONG_HISTORY_BUCKETS * BUCKET;
/** Histories by token. */
export const HISTORIES: Readonly<Record<string, readonly ReturnType<typeof point>[]>> = {
  [tokenOf('a')]: [
    ...Array.from({ length: LONG_HISTORY_BUCKETS }, (_, n) =>
      point(FIRST + n * BUCKET, (n % 99) / 100 + 0.01),
    ),
    // The newest observation, then the payout.
    point(afterLast - 55, 0.98, 0),
    point(afterLast, 1, 0),
  ],
  [tokenOf('b')]: [point(FIRST, 0.4), point(FIRST + BUCKET, 0.5)],
  [V2_TOKENS[0]]: [point(FIRST, 0.2)],
  [tokenOf('f')]: [point(FIRST, 0.3)],
  // The last of these buckets began half a bucket ago, so it ends after NOW.
  [tokenOf('0')]: [-3.5, -2.5, -1.5, -0.5].map((n) => point(NOW / 1_000 + n * BUCKET, 0.6)),
};

/** Answers a call as Polymarket does. @returns the body of the response */
export function answer({ pathname, searchParams: query }: URL): unknown {
  if (pathname === '/v2/resolutions') return resolutionsOf(query);
  if (pathname === '/v2/prices-history') return historyOf(query.get('token_id') ?? '');
  return marketsOf(query);
}

function resolutionsOf(query: URLSearchParams) {
  const wanted = query.get('condition')?.split(',');
  return { data: RESOLUTIONS.filter((row) => wanted?.includes(row.condition_id)) };
}

function historyOf(token: string) {
  if (token === tokenOf('1'))
    throw new UpstreamError({ route: 'v2-prices-history', failure: 'status', status: 400 });
  return { data: HISTORIES[token] ?? [], pagination: { has_more: false, next_cursor: null } };
}

/** The markets with the ids of the query, or a page of two markets. */
function marketsOf(query: URLSearchParams) {
  const pages = query.get('closed') === 'true' ? PAGES.closed : PAGES.open;
  const ids = query.getAll('condition_ids');
  if (ids.length > 0)
    return { markets: pages.flat().filter(({ conditionId }) => ids.includes(String(conditionId))) };
  const place = Number(query.get('after_cursor') ?? 0);
  const next = place < pages.length - 1 ? String(place + 1) : undefined;
  return { markets: pages[place], next_cursor: next };
}

const root = mkdtempSync(join(tmpdir(), 'market-data-proxy-past-'));
afterAll(() => rmSync(root, { recursive: true }));

export interface PastRig {
  readonly folder: string;
  /** Path and query of each call. */
  readonly calls: string[];
  readonly clock: ManualClock;
  readonly past: Past;
}

/**
 * A process that writes a past over an upstream of its own. Two rigs of one name share a folder, as
 * two runs of the command do. For example, a run that is killed at its third call, and the next one:
 *
 *     const killed = pastRig('killed', {
 *       respond(url) {
 *         if (killed.calls.length >= 3) throw new Error('killed');
 *         return answer(url);
 *       },
 *     });
 *     await expect(run(killed)).rejects.toThrow('killed');
 *     const manifest = await run(pastRig('killed'));
 */
export function pastRig(
  name: string,
  options: {
    readonly respond?: typeof answer;
    /** How many closed markets the past should have. */
    readonly requested?: number;
    readonly now?: number;
  } = {},
): PastRig {
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

/** Runs the command: lets time pass until the past is written. @returns its manifest */
export const run = ({ clock, past }: PastRig) => whileTimePasses(clock, past.run(), 1_000);

export const rowsOf = ({ folder }: PastRig, name: 'markets' | 'prices') =>
  parquetRows(readFileSync(join(folder, `archive/past/${name}.parquet`)));
