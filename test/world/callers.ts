// Calls the endpoints of the service in the simulated world, and compares the responses with the
// snapshots that the service published.

import type { RouteName } from '../../lambda/core/contract/route-table.ts';
import type { Market } from '../../lambda/core/domain/market.ts';
import { ServiceError } from '../../lambda/core/domain/service-error.ts';
import { SearchIndex } from '../../lambda/core/search/search-index.ts';
import { listEvents } from '../../lambda/endpoints/events/events.ts';
import { getPricesHistory } from '../../lambda/endpoints/histories/prices-history.ts';
import { listMarkets, searchMarkets } from '../../lambda/endpoints/markets/market-lists.ts';
import type { Endpoint } from '../../lambda/http/endpoint.ts';
import { sleep } from '../../lambda/io/platform/clock.ts';
import { liveRead } from '../../lambda/io/polymarket/live-read.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { Dice } from '../support/dice.ts';
import { endpointRequest } from '../support/endpoint-request.ts';
import type { Report } from './price-checks.ts';
import { pickListQuery } from './queries.ts';
import { middle } from './quote.ts';
import type { TrueMarket } from './true-market.ts';
import { MINUTE, type World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;
/** The rows of all pages of a list, and the snapshot that they come from. */
type Walk = Readonly<{ snapshotId: string; rows: readonly Row[] }>;
/** A price `p` at the Unix time `t`. Only a resolved market has a payout. */
type HistoryPoint = Readonly<{ t: number; p: number; payout?: boolean }>;
type Reply = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>;

/** The fields of rows that are compared. */
const FIELDS = [
  'currentProbability',
  'volume',
  'oneDayPriceChange',
  'priceSource',
  'clobTokenId',
] as const;

/**
 * Reports each difference between a response and its snapshot. For example, one round of calls
 * after each minute:
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
    // `select` finds the markets that the query must return.
    const { query, select } = pickListQuery(this.#dice);
    const limit = Math.floor(this.#dice.between(20, 120));
    const target = `/api/markets?${query}`;
    const walk = await this.#walk(`${target}&limit=${limit}&fields=all`);
    if (walk) {
      const published = this.#published(walk.snapshotId);
      if (published) this.#checkList(target, walk, select(published));
      await this.#checkCsv(target, walk);
    }
    await this.#checkSearch();
    await this.#checkEvents();
    await this.#checkHistory();
  }

  /** @returns undefined for a documented error: then nothing is compared */
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
      if (next === undefined) return { snapshotId: reply.headers['X-Snapshot-Id'] ?? '', rows };
      target = next;
      await sleep(this.#world.clock, MINUTE);
    }
  }

  /** A list has the expected markets in their order, with the values of the snapshot. */
  #checkList(target: string, { rows }: Walk, expected: readonly Market[]): void {
    const idsOf = (some: readonly { id?: unknown }[]) => some.map(({ id }) => id).join(' ');
    if (idsOf(rows) !== idsOf(expected))
      this.#report(target, idsOf(expected).slice(0, 200), idsOf(rows).slice(0, 200));
    for (const [n, row] of rows.entries()) {
      const market = expected[n];
      for (const field of FIELDS) {
        if (row[field] !== market?.[field])
          this.#report(`${target} ${field}`, `${market?.[field]}`, `${row[field]}`);
      }
    }
    this.compared.list += rows.length;
  }

  /** The CSV of a list has the same rows as its pages in JSON. */
  async #checkCsv(listTarget: string, { snapshotId, rows }: Walk): Promise<void> {
    const names = ['id', 'volume', 'currentProbability', 'oneDayPriceChange'];
    const fields = names.join(',');
    const target = `${listTarget}&limit=9999&format=csv&fields=${fields}&snapshot=${snapshotId}`;
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
    for (const event of found) {
      const group = groups.get(event.slug) ?? [];
      const sum = group.reduce((total, { volume }) => total + volume, 0);
      const isRight = event.markets === group.length && Math.abs(event.volume - sum) <= 0.005;
      if (isRight) continue;
      const expected = `${group.length} markets, ${sum} USD`;
      this.#report(
        `event ${event.slug}`,
        expected,
        `${event.markets} markets, ${event.volume} USD`,
      );
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
    const { history }: { history: readonly HistoryPoint[] } = JSON.parse(reply.body);
    let before = Number.NEGATIVE_INFINITY;
    for (const point of history) {
      const { t, p, payout } = point;
      const price = middle(truth.quote(t * 1_000));
      const expected = token === truth.yes ? price : 1 - price;
      const isInOrder = t >= start && t <= end && t > before;
      if (!isInOrder || payout !== undefined || Math.abs(p - expected) >= 1e-6)
        this.#report(target, `${expected} at ${t}`, JSON.stringify(point));
      before = t;
    }
    this.compared.history += history.length;
  }

  /** The markets of a published snapshot. */
  #published(id: string | undefined): readonly Market[] | undefined {
    return this.#world.published.find(({ snapshot }) => snapshot.id === id)?.snapshot.markets;
  }
}
