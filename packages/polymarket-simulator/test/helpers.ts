import { type SimulatedUpstream, startUpstream, type UpstreamOptions } from '../src/server.ts';

/** A Thursday afternoon: tests stop the simulator's clock there and move it themselves. */
export const NOW = Date.UTC(2026, 9, 15, 13, 7, 42, 500);
export const AGENT = { 'user-agent': 'market-data-proxy-test/1' };

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown;
}

/** A simulator with a clock that stands still, and calls to it. */
export interface Rig extends SimulatedUpstream {
  readonly clock: { ms: number };
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export async function startRig(options: UpstreamOptions = {}): Promise<Rig> {
  const clock = { ms: NOW };
  const upstream = await startUpstream({ now: () => clock.ms, ...options });
  return {
    ...upstream,
    clock,
    get: (path, headers = {}) => call(upstream.url + path, { headers: { ...AGENT, ...headers } }),
    post: (path, body, headers = {}) =>
      call(upstream.url + path, {
        method: 'POST',
        headers: { ...AGENT, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

export async function call(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

export interface Page {
  readonly $schema: string;
  readonly markets: readonly Json[];
  readonly next_cursor?: string;
}

export const PAGE = '/markets/keyset?limit=100&order=volumeNum&ascending=false&closed=false';

export async function page(rig: Rig, query = PAGE): Promise<Page> {
  return (await rig.get(query)).body as Page;
}

/** All pages of a crawl. */
export async function crawl(rig: Rig, query = PAGE): Promise<Json[]> {
  const markets: Json[] = [];
  let cursor: string | undefined;
  do {
    const next: Page = await page(rig, cursor === undefined ? query : `${query}&after_cursor=${cursor}`);
    markets.push(...next.markets);
    cursor = next.next_cursor;
  } while (cursor !== undefined);
  return markets;
}

/** A field that holds a JSON array of strings; empty where it is absent, null or "". */
export function held(market: Json, name: string): string[] {
  const text = market[name];
  return typeof text === 'string' && text !== '' ? (JSON.parse(text) as string[]) : [];
}

/** The ids that a market's version selects, as a reader of upstream must take them. */
export function assetIds(market: Json): string[] {
  if (market.version === 'v2') return (market.positionIds as string[] | undefined) ?? [];
  return market.version === 'v1' || market.version === undefined ? held(market, 'clobTokenIds') : [];
}

export function token(market: Json | undefined, outcome = 0): string {
  return assetIds(market ?? {})[outcome] ?? '';
}

/** Markets with two-sided books that trade, from a page. */
export function twoSided(markets: readonly Json[]): Json[] {
  return markets.filter(
    (m) => m.acceptingOrders === true && m.bestBid !== undefined && Number(m.bestAsk) < 1 && token(m) !== '',
  );
}

export interface Point {
  readonly t: number;
  readonly p: number;
}

export function historyOf(reply: Reply): Point[] {
  return (reply.body as { history: Point[] }).history;
}
