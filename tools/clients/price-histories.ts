import assert from 'node:assert/strict';

type HistoryQuery = Readonly<Partial<Record<'startTs' | 'endTs' | 'fidelity', number>> & { interval?: string }>;

interface Point {
  readonly t: number;
  readonly p: number;
}

interface DataRow {
  readonly timestamp: number;
  readonly price: number;
}

const DAY = 86_400;
const WINDOW = 15 * DAY;
/** Longer steps come from the whole life's series, with buckets of this length. */
const LIFE_STEP = 3 * 3_600;
/** As in Polymarket's clients. */
const INTERVALS = ['1h', '6h', '1d', '1w', 'max'];
/** Seconds between the client's read and the upstream's, including the service's cache. */
const MAX_DELAY = 180;
/** Each window's newest observation replaces another point. */
const MIN_KNOWN_SHARE = 0.85;

/**
 * Every interval, and windows of several ages, with and without `fidelity`.
 *
 * @param now Unix seconds
 * @param openEnded whether the client can omit a window's end
 */
export function historyQueries(now: number, openEnded: boolean): readonly HistoryQuery[] {
  const windows = [
    { startTs: now - 2 * DAY, endTs: now - DAY },
    { startTs: now - 20 * DAY, endTs: now - 10 * DAY },
    { startTs: now - 80 * DAY, endTs: now - 2 * DAY },
    { startTs: now - 200 * DAY, endTs: now - 100 * DAY },
    ...(openEnded ? [{ startTs: now - 3 * DAY }, { startTs: now - 40 * DAY }] : []),
  ];
  const ranges: readonly HistoryQuery[] = [...INTERVALS.map((interval) => ({ interval })), ...windows];
  return ranges.flatMap((range) => [range, { ...range, fidelity: 60 }]);
}

/**
 * Compares a client's history with the simulated upstream's points.
 *
 * @throws AssertionError
 */
export async function checkHistory(
  { service, upstream, token }: Readonly<Record<'service' | 'upstream' | 'token', string>>,
  query: HistoryQuery,
  history: readonly Point[],
): Promise<void> {
  const name = JSON.stringify(query);
  const sent = new URLSearchParams({ market: token, ...texts(query) });
  const { headers } = await fetch(`${service}/api/clob/prices-history?${sent}`);
  const minutes = Number(headers.get('x-fidelity-minutes'));
  assert.ok(minutes >= (query.fidelity ?? 1), `${name}: X-Fidelity-Minutes is ${minutes}`);
  const step = minutes * 60;
  const expected = await upstreamPoints(upstream, token, query, step);
  assert.ok(history.length > 0, `${name}: no points`);
  const { startTs = 0, endTs = Number.POSITIVE_INFINITY } = query;
  const stepOf = ({ t }: Point) => Math.floor(t / step);
  for (const [n, point] of history.entries()) {
    const { t } = point;
    assert.ok(t >= startTs && t <= endTs, `${name}: ${t} is outside of the window`);
    const before = history[n - 1];
    assert.ok(!before || stepOf(before) < stepOf(point), `${name}: ${t} is not after the step of ${before?.t}`);
  }
  const prices = new Map(expected.map(({ t, p }) => [t, p]));
  const known = history.filter(({ t }) => prices.has(t));
  for (const { t, p } of known) assert.equal(p, prices.get(t), `${name}: the price at ${t}`);
  // The last point is the moment of the read, and the oldest leaves an interval.
  const few = known.length < (history.length - 1) * MIN_KNOWN_SHARE - 1;
  assert.ok(!few, `${name}: the upstream has ${known.length} of ${history.length} points`);
  const steps = new Set(history.map(stepOf));
  const missing = new Set(expected.map(stepOf).filter((one) => !steps.has(one)));
  assert.ok(missing.size <= 2 + MAX_DELAY / step, `${name}: ${missing.size} of ${steps.size} steps are missing`);
}

/** From CLOB for an interval, otherwise from the Data API. */
async function upstreamPoints(upstream: string, token: string, query: HistoryQuery, step: number): Promise<Point[]> {
  const now = Math.floor(Date.now() / 1_000);
  const { interval, startTs = 0, endTs = now } = query;
  if (interval !== undefined && interval !== 'max') {
    const url = `${upstream}/prices-history?market=${token}&interval=${interval}&fidelity=${step / 60}`;
    return (await read<{ history: Point[] }>(url)).history;
  }
  const windows = Array.from({ length: 7 }, (_, n) => startTs + n * WINDOW).filter((start) => start <= endTs);
  const isWide = step >= LIFE_STEP;
  const ranges = isWide
    ? ['interval=max']
    : windows.map((start) => `start=${start}&end=${Math.min(start + WINDOW, endTs + 1)}`);
  const url = `${upstream}/v2/prices-history?token_id=${token}&bucket_seconds=${isWide ? LIFE_STEP : step}`;
  const pages = await Promise.all(ranges.map((range) => read<{ data: DataRow[] }>(`${url}&${range}`)));
  const points = pages.flatMap(({ data }) => data.map(({ timestamp, price }) => ({ t: timestamp, p: price })));
  return points.filter(({ t }) => t >= startTs && t <= endTs);
}

/** The upstream rejects default names of libraries. */
async function read<T>(url: string): Promise<T> {
  return (await fetch(url, { headers: { 'user-agent': 'market-data-proxy-clients-test' } })).json() as Promise<T>;
}

function texts(query: HistoryQuery): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
