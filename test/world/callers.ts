import type { RouteName } from '../../lambda/core/contract/route-table.ts';
import type { Market } from '../../lambda/core/domain/market.ts';
import { ServiceError } from '../../lambda/core/domain/service-error.ts';
import { SearchIndex } from '../../lambda/core/search/search-index.ts';
import { listEvents } from '../../lambda/endpoints/events/events.ts';
import { getPricesHistory } from '../../lambda/endpoints/histories/prices-history.ts';
import { listMarkets, searchMarkets } from '../../lambda/endpoints/markets/market-lists.ts';
import type { Endpoint } from '../../lambda/http/pipeline.ts';
import { sleep } from '../../lambda/io/platform/clock.ts';
import { liveRead } from '../../lambda/io/polymarket/live-read.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { Dice } from '../support/dice.ts';
import { endpointRequest } from '../support/endpoint-request.ts';
import type { Report } from './price-checks.ts';
import { middle, type TrueMarket } from './truth.ts';
import { MINUTE, type World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;
/** All rows of a list, and the id of its snapshot. */
type Walk = Readonly<{ id: string; rows: readonly Row[] }>;
type Reply = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>;

/** A change that the service does not doubt. */
const sureChange = (market: Market, field: 'oneHourPriceChange' | 'oneDayPriceChange') =>
  market.doubtfulChanges?.includes(field) ? undefined : (market[field] ?? undefined);
const negative = (value: number | undefined) => (value === undefined ? undefined : -value);

/** What each sort orders by, the lowest first. Markets without it come last. */
const SORTS: Readonly<Record<string, (market: Market) => number | undefined>> = {
  volume: ({ volume }) => -volume,
  probability: ({ currentProbability }) => -currentProbability,
  spread: ({ spread }) => spread,
  change1d: (market) => negative(sureChange(market, 'oneDayPriceChange')),
  move1h: (market) => {
    const change = sureChange(market, 'oneHourPriceChange');
    return change === undefined ? undefined : -Math.abs(change);
  },
};
/** The fields of rows that are compared. */
const FIELDS = [
  'currentProbability',
  'volume',
  'oneDayPriceChange',
  'priceSource',
  'clobTokenId',
] as const;
/** What a query adds to the list, and whether it keeps a market. */
const FILTERS: readonly (readonly [query: string, keeps: (market: Market) => boolean])[] = [
  ['', () => true],
  ['&minVolume=20000', ({ volume }) => volume >= 20_000],
  ['&minProbability=10&maxProbability=70', ({ currentProbability: p }) => p >= 10 && p <= 70],
  ['&maxSpread=0.02', ({ spread }) => spread !== undefined && spread <= 0.02],
];

/**
 * Calls the endpoints as callers do, and evaluates each query a second time over the snapshot that
 * was published. For example, one round of calls after each minute:
 *
 *     const invariants = new Invariants(world);
 *     const callers = new Callers(world, invariants.violation);
 *     await world.run(() => void callers.call());
 *     expect(callers.compared.list).toBeGreaterThan(20);
 *     expect(invariants.violations).toEqual([]);
 */
export class Callers {
  /** Compared rows, events and points. */
  readonly compared = { list: 0, csv: 0, search: 0, events: 0, history: 0 };
  readonly #world: World;
  readonly #dice: Dice;
  readonly #report: Report;
  readonly #endpoints;

  constructor(world: World, report: Report) {
    this.#world = world;
    this.#dice = new Dice(world.options.seed + 1);
    this.#report = report;
    const deps = {
      snapshots: world.reader({ searchIndex: new SearchIndex(), olderCacheSize: 2 }),
      now: world.clock.now,
    };
    const { clob, data } = world.upstreams();
    const histories = new PriceHistories({ clob, data, clock: world.clock });
    this.#endpoints = {
      list: listMarkets(deps),
      search: searchMarkets(deps),
      events: listEvents(deps),
      history: getPricesHistory({ histories, live: liveRead(world.clock), clock: world.clock }),
    };
  }

  /** One round of calls. Never throws. */
  async call(): Promise<void> {
    try {
      await this.#round();
    } catch (error) {
      this.#report('a call', 'a response or an error of the contract', String(error));
    }
  }

  async #round(): Promise<void> {
    const sort = this.#dice.pick(Object.keys(SORTS) as [string, ...string[]]);
    const [filter, keeps] = this.#dice.pick(FILTERS as [(typeof FILTERS)[number]]);
    const limit = Math.floor(this.#dice.between(20, 120));
    const query = `/api/markets?sort=${sort}${filter}`;
    const walk = await this.#walk(`${query}&limit=${limit}&fields=all`);
    if (walk) this.#checkList(query, walk, (markets) => sorted(markets.filter(keeps), SORTS[sort]));
    if (walk) await this.#checkCsv(query, walk);
    await this.#checkSearch();
    await this.#checkEvents();
    await this.#checkHistory();
  }

  /** @returns undefined for an error of the contract: then nothing is compared */
  async #get<R extends RouteName>(
    route: R,
    endpoint: Endpoint<R>,
    target: string,
  ): Promise<Reply | undefined> {
    try {
      return await endpoint(endpointRequest(route, target));
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'internal_error') return undefined;
      throw error;
    }
  }

  /** Follows the `next` links of a list, one a minute: other snapshots are published meanwhile. */
  async #walk(first: string): Promise<Walk | undefined> {
    const rows: Row[] = [];
    for (let target = first; ; ) {
      const reply = await this.#get('list-markets', this.#endpoints.list, target);
      if (!reply) return undefined;
      rows.push(...JSON.parse(reply.body));
      const next = /<([^>]*)>; rel="next"/.exec(reply.headers.Link ?? '')?.[1];
      if (next === undefined) return { id: reply.headers['X-Snapshot-Id'] ?? '', rows };
      target = next;
      await sleep(this.#world.clock, MINUTE);
    }
  }

  /** @param expect the filtered and sorted markets of a snapshot */
  #checkList(
    query: string,
    { id, rows }: Walk,
    expect: (markets: readonly Market[]) => readonly Market[],
  ): void {
    const markets = this.#published(id);
    if (!markets) return;
    const expected = expect(markets);
    const ids = (some: readonly { id?: unknown }[]) => some.map((one) => one.id).join(' ');
    if (ids(rows) !== ids(expected))
      this.#report(query, ids(expected).slice(0, 200), ids(rows).slice(0, 200));
    for (const [n, row] of rows.entries()) {
      const market = expected[n];
      for (const field of FIELDS) {
        if (row[field] !== market?.[field])
          this.#report(`${query} ${field}`, `${market?.[field]}`, `${row[field]}`);
      }
    }
    this.compared.list += rows.length;
  }

  /** The CSV of a list has the same rows as its pages in JSON. */
  async #checkCsv(query: string, { id, rows }: Walk): Promise<void> {
    const names = ['id', 'volume', 'currentProbability', 'oneDayPriceChange'];
    const fields = names.join(',');
    const target = `${query}&limit=9999&format=csv&fields=${fields}&snapshot=${id}`;
    const reply = await this.#get('list-markets', this.#endpoints.list, target);
    if (!reply) return;
    const [head, ...lines] = reply.body.trimEnd().split('\r\n');
    const expected = rows.map((row) => names.map((name) => row[name] ?? '').join(','));
    if (head !== fields || lines.join('\n') !== expected.join('\n')) {
      this.#report(target, `${expected.length} rows as JSON`, `${lines.length} rows: ${lines[0]}`);
    }
    this.compared.csv += lines.length;
  }

  /** The question of a market finds this market first. */
  async #checkSearch(): Promise<void> {
    const { markets } = this.#world.published.at(-1)?.snapshot ?? { markets: [] };
    const market = markets[Math.floor(this.#dice.between(0, markets.length))];
    if (!market) return;
    const target = `/api/markets/search?q=${encodeURIComponent(market.question)}&limit=3`;
    const reply = await this.#get('search-markets', this.#endpoints.search, target);
    const listed = reply && this.#published(reply.headers['X-Snapshot-Id']);
    if (!reply || !listed?.some(({ id }) => id === market.id)) return;
    const [first] = JSON.parse(reply.body);
    if (first?.id !== market.id)
      this.#report(`search ${market.question}`, market.id, `${first?.question}`);
    this.compared.search += 1;
  }

  /** An event has the sum of its markets' volumes, and their number. */
  async #checkEvents(): Promise<void> {
    const reply = await this.#get('list-events', this.#endpoints.events, '/api/events?limit=9999');
    const markets = reply && this.#published(reply.headers['X-Snapshot-Id']);
    if (!reply || !markets) return;
    const groups = Map.groupBy(markets, ({ eventSlug }) => eventSlug);
    const found: readonly { slug: string; volume: number; markets: number }[] = JSON.parse(
      reply.body,
    );
    if (found.length !== groups.size) this.#report('events', `${groups.size}`, `${found.length}`);
    for (const { slug, volume, markets: count } of found) {
      const group = groups.get(slug) ?? [];
      const sum = group.reduce((total, market) => total + market.volume, 0);
      if (count !== group.length || Math.abs(volume - sum) > 0.005) {
        this.#report(
          `event ${slug}`,
          `${group.length} markets, ${sum} USD`,
          `${count} markets, ${volume} USD`,
        );
      }
    }
    this.compared.events += found.length;
  }

  /** Each point of a history, of YES or of NO, is the middle of the book at its time. */
  async #checkHistory(): Promise<void> {
    const { clock, polymarket } = this.#world;
    const truth = this.#dice.pick(polymarket.markets as [TrueMarket, ...TrueMarket[]]);
    const token = this.#dice.pick([truth.yes, truth.no]);
    const end = Math.floor(clock.now() / 1_000) - Math.floor(this.#dice.between(0, 3_000));
    const start = end - Math.floor(this.#dice.between(600, 7_200));
    const target = `/api/clob/prices-history?token_id=${token}&startTs=${start}&endTs=${end}&fidelity=5`;
    const reply = await this.#get('get-prices-history', this.#endpoints.history, target);
    if (!reply) return;
    const { history }: { history: readonly { t: number; p: number; payout?: boolean }[] } =
      JSON.parse(reply.body);
    let before = Number.NEGATIVE_INFINITY;
    for (const { t, p, payout } of history) {
      const price = middle(truth.quote(t * 1_000));
      const expected = token === truth.yes ? price : 1 - price;
      const isRight =
        t >= start &&
        t <= end &&
        t > before &&
        payout === undefined &&
        Math.abs(p - expected) < 1e-6;
      if (!isRight) this.#report(target, `${expected} at ${t}`, JSON.stringify({ t, p, payout }));
      before = t;
    }
    this.compared.history += history.length;
  }

  #published(id: string | undefined): readonly Market[] | undefined {
    return this.#world.published.find(({ snapshot }) => snapshot.id === id)?.snapshot.markets;
  }
}

/** Sorts. Ties stay in the order of the list. */
function sorted(
  markets: readonly Market[],
  compared: (typeof SORTS)[string] = () => undefined,
): readonly Market[] {
  const key = (market: Market) => compared(market) ?? Number.POSITIVE_INFINITY;
  return markets.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
}
