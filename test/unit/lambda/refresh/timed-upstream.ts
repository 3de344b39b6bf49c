import { type Clock, sleep } from '../../../../lambda/platform/clock.ts';
import { refreshUpstreams } from '../../../../lambda/polymarket/refresh-upstreams.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';

export type TimedRoute = 'page' | 'histories' | 'history' | 'midpoints';

/** Ms that a response of a route takes, or what else comes of a call. */
export type Timing = Readonly<Record<TimedRoute, number | 'hang' | 'gone'>>;

/** What upstream.md measured, roughly. */
export const USUAL = { page: 1_100, histories: 500, history: 150, midpoints: 250 } as const satisfies Timing;

const PATHS: Readonly<Record<string, TimedRoute>> = {
  '/markets/keyset': 'page',
  '/batch-prices-history': 'histories',
  '/prices-history': 'history',
  '/midpoints': 'midpoints',
};
const PAGE_MARKETS = 100;

/** A time, absolute in ms, in which every call fails at once. */
export interface Blip {
  readonly from: number;
  readonly until: number;
  readonly kind: 'status' | 'network';
  /** @default 500 */
  readonly status?: number;
  /** @default all */
  readonly route?: TimedRoute;
}

/** The real clients over a fetch that responds in time, by a simulated clock. */
export function timedUpstream(
  clock: Clock,
  timing: Timing,
  pages: number,
  blip?: Blip,
  onCall: (route: TimedRoute) => void = () => undefined,
) {
  const calls: Record<TimedRoute, number> = { page: 0, histories: 0, history: 0, midpoints: 0 };
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const route = PATHS[url.pathname] ?? 'page';
    calls[route] += 1;
    onCall(route);
    const now = clock.now();
    if (blip && blip.from <= now && now < blip.until && (blip.route ?? route) === route) {
      if (blip.kind === 'network') throw new TypeError('fetch failed');
      return new Response('oops', { status: blip.status ?? 500 });
    }
    const takes = timing[route];
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    if (takes === 'hang') return await aborted;
    if (takes === 'gone') return new Response('404 page not found', { status: 404 });
    await Promise.race([sleep(clock, takes), aborted]);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    return new Response(JSON.stringify(response(route, url, body, pages)));
  };
  const baseUrl = 'http://upstream';
  const urls = { gamma: baseUrl, clob: baseUrl, data: baseUrl };
  return { calls, ...refreshUpstreams({ fetch, clock, random: () => 0.5, urls }) };
}

function response(route: TimedRoute, url: URL, body: Record<string, unknown>, pages: number): unknown {
  if (route === 'page') return page(url, pages);
  if (route === 'history') return { history: [{ t: Number(url.searchParams.get('startTs')), p: 0.4 }] };
  if (route === 'histories') {
    const point = { t: body.start_ts, p: 0.4 };
    return { history: Object.fromEntries((body.markets as string[]).map((token) => [token, [point]])) };
  }
  const tokens = body as unknown as readonly { token_id: string }[];
  return Object.fromEntries(tokens.map(({ token_id }) => [token_id, '0.5']));
}

/** The catalogue's own prices are 0.054, those of the order book 0.5. */
function page(url: URL, pages: number): unknown {
  const ids = url.searchParams.getAll('condition_ids');
  if (ids.length > 0) return { markets: ids.map((id) => record(Number(id))) };
  const number = Number(url.searchParams.get('after_cursor') ?? 0);
  const atLeast = url.searchParams.get('volume_num_min');
  if (atLeast !== null) return bandPage(number, pages, Number(atLeast));
  const markets = Array.from({ length: PAGE_MARKETS }, (_, n) => record(number * PAGE_MARKETS + n));
  return { markets, ...(number + 1 < pages ? { next_cursor: String(number + 1) } : {}) };
}

/** The same markets upwards from a volume. */
function bandPage(number: number, pages: number, atLeast: number): unknown {
  const all = Array.from({ length: pages * PAGE_MARKETS }, (_, n) => pages * PAGE_MARKETS - 1 - n);
  const band = all.filter((index) => volumeOf(index) >= atLeast);
  const markets = band.slice(number * PAGE_MARKETS, (number + 1) * PAGE_MARKETS).map(record);
  return { markets, ...(markets.length < PAGE_MARKETS ? {} : { next_cursor: String(number + 1) }) };
}

function volumeOf(index: number): number {
  return 10_000_000_000 / (index + 1);
}

function record(index: number): unknown {
  return gammaRecord({
    conditionId: `0x${index.toString(16).padStart(64, '0')}`,
    clobTokenIds: JSON.stringify([String(1_000_000 + index), String(2_000_000 + index)]),
    volumeNum: volumeOf(index),
  });
}
