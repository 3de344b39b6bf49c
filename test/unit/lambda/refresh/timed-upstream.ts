import { type Clock, sleep } from '../../../../lambda/platform/clock.ts';
import { refreshUpstreams } from '../../../../lambda/polymarket/refresh-upstreams.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';

export type TimedRoute = 'page' | 'histories' | 'history' | 'midpoints';

/** Ms that an answer of a route takes, or what else comes of a call. */
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

/** The real clients over a fetch that answers in time, by a simulated clock. */
export function timedUpstream(clock: Clock, timing: Timing, pages: number) {
  const calls: Record<TimedRoute, number> = { page: 0, histories: 0, history: 0, midpoints: 0 };
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const route = PATHS[url.pathname] ?? 'page';
    calls[route] += 1;
    const takes = timing[route];
    const aborted = new Promise<never>((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
    if (takes === 'hang') return await aborted;
    if (takes === 'gone') return new Response('404 page not found', { status: 404 });
    await Promise.race([sleep(clock, takes), aborted]);
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    return new Response(JSON.stringify(answer(route, url, body, pages)));
  };
  const baseUrl = 'http://upstream';
  const urls = { gamma: baseUrl, clob: baseUrl, data: baseUrl };
  return { calls, ...refreshUpstreams({ fetch, clock, random: () => 0.5, urls }) };
}

function answer(route: TimedRoute, url: URL, body: Record<string, unknown>, pages: number): unknown {
  if (route === 'page') return page(Number(url.searchParams.get('after_cursor') ?? 0), pages);
  if (route === 'history') return { history: [{ t: Number(url.searchParams.get('startTs')), p: 0.4 }] };
  if (route === 'histories') {
    const point = { t: body.start_ts, p: 0.4 };
    return { history: Object.fromEntries((body.markets as string[]).map((token) => [token, [point]])) };
  }
  const tokens = body as unknown as readonly { token_id: string }[];
  return Object.fromEntries(tokens.map(({ token_id }) => [token_id, '0.5']));
}

/** The catalogue's own prices are 0.054, those of the order book 0.5. */
function page(number: number, pages: number): unknown {
  const markets = Array.from({ length: PAGE_MARKETS }, (_, n) => {
    const index = number * PAGE_MARKETS + n;
    return gammaRecord({
      conditionId: `0x${index.toString(16).padStart(64, '0')}`,
      clobTokenIds: JSON.stringify([String(1_000_000 + index), String(2_000_000 + index)]),
      volumeNum: 1_000_000 - index,
    });
  });
  return { markets, ...(number + 1 < pages ? { next_cursor: String(number + 1) } : {}) };
}
