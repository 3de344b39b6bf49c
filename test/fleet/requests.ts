import type { FleetRequest } from './containers.ts';

/** What the requests name: tokens and markets of the simulator. */
export interface UpstreamNames {
  readonly tokens: readonly string[];
  /** Of markets that are older than any window here. */
  readonly oldTokens: readonly string[];
  readonly closedSlugs: readonly string[];
}

const WINDOW_SECONDS = 89 * 86_400;
const MAX_TOKENS = 20;
const now = Math.floor(Date.now() / 1_000);

type GammaRecord = Readonly<Partial<Record<string, string>>>;

/** Reads them from the simulated catalogue. */
export async function upstreamNames(url: string): Promise<UpstreamNames> {
  const read = async (closed: boolean): Promise<readonly GammaRecord[]> => {
    const path = `/markets/keyset?limit=100&closed=${closed}`;
    const response = await fetch(`${url}${path}`, { headers: { 'user-agent': 'fleet/1' } });
    const { markets } = (await response.json()) as { readonly markets: readonly GammaRecord[] };
    // A few records of the simulator cannot be read.
    return markets.filter(({ version, outcomes, clobTokenIds }) => version === 'v1' && outcomes && clobTokenIds);
  };
  const [open, closed] = await Promise.all([read(false), read(true)]);
  const tokensOf = (records: readonly GammaRecord[]): string[] =>
    records.flatMap(({ clobTokenIds }) => JSON.parse(clobTokenIds ?? '[]'));
  const old = open.filter(({ createdAt = '' }) => Date.parse(createdAt) / 1_000 < now - WINDOW_SECONDS - 86_400);
  return {
    tokens: tokensOf(open),
    oldTokens: tokensOf(old),
    closedSlugs: closed.map(({ slug = '' }) => slug),
  };
}

const get = (name: FleetRequest['function'], path: string, query: Record<string, string>): FleetRequest => ({
  function: name,
  path: `/api/${path}`,
  query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value]])),
});
const market = (id: string): FleetRequest => ({
  function: 'get-market',
  path: `/api/markets/${id}`,
  resource: '/api/markets/{id}',
  pathParameters: { id },
});
const histories = (tokens: readonly string[]) =>
  get('get-prices-histories', 'clob/prices-histories', { token_id: tokens.join(',') });
/** Numbers that are no tokens. */
const unknown = (n: number, count: number) => Array.from({ length: count }, (_, m) => String(1 + n * MAX_TOKENS + m));

/** What a caller can send, by what it costs. `n` differs between requests, so that no cache answers. */
const KINDS = {
  'unknown tokens': (n) => histories(unknown(n, MAX_TOKENS)),
  'mixed tokens': (n, { tokens }) => {
    const listedTokens = pick(tokens, 2 * n, 2);
    return { ...histories([...listedTokens, ...unknown(n, MAX_TOKENS - 2)]), listedTokens };
  },
  'invented markets': (n) => market(`invented-${n}`),
  'closed markets': (n, { closedSlugs }) => market(pick(closedSlugs, n, 1)[0] ?? ''),
  /** The whole life of a market, which only the Data API has. */
  lives: (n) => get('get-prices-history', 'clob/prices-history', { token_id: String(50_000 + n), interval: 'max' }),
  /** Seven windows of upstream. */
  windows: (n, { oldTokens }) =>
    get('get-prices-history', 'clob/prices-history', {
      token_id: pick(oldTokens, n, 1)[0] ?? '',
      startTs: String(now - WINDOW_SECONDS + n),
      fidelity: '30',
    }),
  /** What takes nothing from the budget. */
  books: (n, { tokens }) =>
    [
      get('get-order-book', 'clob/order-book', { token_id: pick(tokens, n, 1)[0] ?? '' }),
      get('list-order-books', 'clob/order-books', { token_id: pick(tokens, n, 5).join(',') }),
      get('list-markets', 'markets', {}),
    ][n % 3] as FleetRequest,
} as const satisfies Record<string, (n: number, names: UpstreamNames) => FleetRequest>;

export type Kind = keyof typeof KINDS;

export function requestsOf(kind: Kind, count: number, names: UpstreamNames, first = 0): readonly FleetRequest[] {
  return Array.from({ length: count }, (_, n) => KINDS[kind](first + n, names));
}

function pick(list: readonly string[], first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => list[(first + n) % list.length] ?? '');
}
