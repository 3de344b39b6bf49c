import { expect } from '@jest/globals';
import { SAVED_QUERIES } from '../../../../lib/monitoring/query-table.ts';
import { runQuery } from '../../../support/logs-insights.ts';
import type { LogRecord } from '../../../support/logs-insights-filter.ts';
import {
  type Expected,
  type FaultCase,
  type LiveSeen,
  type RunEnd,
  reportOf,
  type Seen,
} from './fault-case.ts';
import type { Result } from './lanes.ts';
import { wrongNumbers } from './numbers.ts';
import type { Healthy, Observed } from './play-case.ts';

const TOP = 20;
/** Megabytes of a response that lie in the buffers of both ends when the reader has had enough. */
const ON_THE_WAY_MB = 12;

/** Holds what came of a case against its row. */
export function expectResult({ row, observed, before, after, cataloguePrices }: Result): void {
  expectRun(row.run, observed);
  expectReport(row, observed);
  expectFound(row, observed);
  expectReaders(row, observed, before);
  if (row.mostMb !== undefined) {
    expect(observed.bytes.length).toBeGreaterThan(0);
    expect(Math.max(...observed.bytes)).toBeLessThan((row.mostMb + ON_THE_WAY_MB) * 1_000_000);
  }
  expect(after.id > before.id).toBe(true);
  expect(after.list).toHaveLength(before.list.length);
  const truth = {
    lists: [before.list, after.list],
    cataloguePrices: allowed(row, cataloguePrices),
    // A clock that is wrong looks for the price of yesterday at another moment.
    sameBaselines: row.changes?.refresherClockMs === undefined,
  };
  for (const { status, json } of [observed.warm, observed.cold ?? observed.warm]) {
    if (status === 200) expect(wrongNumbers(json, truth)).toEqual([]);
  }
}

function expectRun(end: RunEnd, { outcome }: Observed): void {
  if (end === 'none') return;
  if (end === 'killed') expect(outcome).toMatchObject({ ok: false, error: expect.stringContaining('exit') });
  else expect(outcome).toMatchObject({ ok: end !== 'failed' });
}

function expectReport(row: FaultCase, { logs, metrics }: Observed): void {
  const { log, metrics: expected } = reportOf(row);
  for (const line of log) {
    const same = logs.filter(({ message }) => message === line.message);
    const found = same.some(({ keys }) =>
      Object.entries(line.keys ?? {}).every(([key, value]) => matches(keys[key], value)),
    );
    if (!found)
      throw new Error(`Not logged: ${JSON.stringify(line)}, but ${JSON.stringify(same.slice(0, 3))}`);
  }
  const told = Object.keys(expected).map((name) => [name, emitted(metrics, name)]);
  for (const [name, value] of told as [keyof typeof expected, number | undefined][]) {
    if (!matches(value, expected[name])) throw new Error(`${name} is ${value}, not ${expected[name]}`);
  }
}

/** What fails leaves a line that the runbook's saved query finds. */
function expectFound({ run, readers }: FaultCase, { logs }: Observed): void {
  const records = logs.map(
    ({ message, keys }): LogRecord => ({ '@timestamp': 0, '@message': message, message, ...keys }),
  );
  const found = (id: string) => {
    const query = SAVED_QUERIES.find((one) => one.id === id);
    return runQuery(query?.lines.join('\n| ') ?? '', records);
  };
  if (run === 'failed') {
    expect(found('refresh-runs').map(({ message }) => message)).toContain('Refresh failed');
  }
  const codes = found('error-responses').map(({ code }) => code);
  if (readers === 'old') expect(codes).toContain('snapshot_stale');
  else if (readers !== 'prices' && 'memory' in readers) expect(codes).toContain(readers.memory);
}

/** The sum over the lines that carry it; undefined where none does. */
function emitted(metrics: Observed['metrics'], name: string): number | undefined {
  const [metric = '', upstream] = name.split(' ');
  const values = metrics.filter((line) => line.Upstream === upstream).flatMap((line) => line[metric] ?? []);
  return values.length === 0 ? undefined : values.map(Number).reduce((sum, value) => sum + value, 0);
}

function matches(value: unknown, expected: Expected | undefined): boolean {
  if (expected === null || expected === undefined) return value === undefined;
  if (typeof expected === 'object') return Number(value) >= expected[0] && Number(value) <= expected[1];
  return typeof expected === 'string' ? JSON.stringify(value ?? '').includes(expected) : value === expected;
}

function expectReaders({ readers }: FaultCase, observed: Observed, previous: Healthy): void {
  const { warm, cold = warm, status, later } = observed;
  for (const response of observed.meanwhile ?? []) expectOld(response, previous);
  if (readers === 'old') {
    for (const response of [warm, cold]) expectOld(response, previous);
    expect(later).toMatchObject({ status: 502, json: { code: 'snapshot_stale' } });
    expect(later?.json.error).toMatch(/2\d\d s old/);
  } else if (readers !== 'prices' && 'live' in readers) {
    for (const response of [warm, cold]) expectOld(response, previous);
    expectLive(readers.live, observed.live);
  } else if (readers !== 'prices' && 'memory' in readers) {
    expectOld(warm, previous);
    expect(cold).toMatchObject({ status: 502, json: { code: readers.memory } });
    expect(cold.headers.get('cache-control')).toBe('no-store');
  } else {
    expect([warm.status, cold.status, status?.status]).toEqual([200, 200, 200]);
    expect(warm.text).toBe(cold.text);
    expect(cold.headers.get('etag')).toBe(warm.headers.get('etag'));
    for (const response of [warm, cold]) {
      expect(Date.parse(modifiedOf(response))).toBeGreaterThan(Date.parse(previous.modified));
    }
    expect(status?.json.markets).toBe(cold.json.length);
    if (readers === 'prices') {
      const ids = (list: Healthy['list']) => list.map(({ id }: { id: unknown }) => id);
      expect(ids(warm.json)).toEqual(ids(previous.list));
      expect(status?.json.catalogueAsOf < status?.json.pricesAsOf).toBe(true);
    }
    expectSeen(readers === 'prices' ? {} : readers.new, observed, previous);
  }
}

/** What is given is what the upstream says without the fault, or it is a 502 in our words. */
function expectLive(seen: LiveSeen, live: Observed['live']): void {
  for (const [what, status] of [
    ['book', seen.books],
    ['books', seen.books],
    ['history', seen.histories],
  ] as const) {
    const [under, without] = [live?.under[what], live?.without[what]];
    expect([what, under?.status, without?.status]).toEqual([what, status, 200]);
    if (status === 200) expect(under?.json).toEqual(without?.json);
    else expect(under).toMatchObject({ json: { code: 'upstream_unavailable' } });
    if (status === 502) expect(under?.headers.get('cache-control')).toBe('no-store');
  }
}

function modifiedOf(response: Observed['warm']): string {
  return response.headers.get('last-modified') ?? '';
}

function expectOld(response: Observed['warm'], previous: Healthy): void {
  expect([response.status, response.headers.get('etag'), modifiedOf(response)]).toEqual([
    200,
    previous.etag,
    previous.modified,
  ]);
  expect(response.json).toEqual(previous.list);
}

function expectSeen(seen: Seen, { warm, status }: Observed, previous: Healthy): void {
  const { markets = 'all', oneDay = 'all', long = 'all', prices = 'order book' } = seen;
  const of = (list: Healthy['list']) => {
    const has = (name: string) =>
      list.filter((market: Record<string, unknown>) => typeof market[name] === 'number');
    const changed = has('oneDayPriceChange');
    return {
      markets: list.length,
      oneDay: changed.length,
      beyondTop: changed.some((market: unknown) => list.indexOf(market) >= TOP),
      sevenDay: has('sevenDayPriceChange').length,
      thirtyDay: has('thirtyDayPriceChange').length,
    };
  };
  const [now, then] = [of(warm.json), of(previous.list)];
  expect([now.markets < then.markets, now.markets > 0]).toEqual([markets !== 'all', true]);
  expect([now.oneDay > 0, now.beyondTop]).toEqual([oneDay !== 'none', oneDay === 'all' || oneDay === 'some']);
  if (markets === 'all') expect(now.oneDay === then.oneDay).toBe(oneDay === 'all');
  expect([now.sevenDay > 0, now.thirtyDay > 0]).toEqual([long !== 'none', long === 'all']);
  const { marketsCataloguePriced: priced } = status?.json ?? {};
  if (prices === 'catalogue') expect(priced).toBe(now.markets);
  else if (prices === 'order book') expect(priced).toBeLessThanOrEqual(previous.cataloguePriced);
  else expect(priced).toBeGreaterThan(previous.cataloguePriced);
}

function allowed({ readers }: FaultCase, prices: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const fromBook = typeof readers === 'string' || !('new' in readers) || readers.new.prices === undefined;
  return fromBook ? new Map() : prices;
}
