import { getPricesHistory } from '../../lambda/app/histories/prices-history.ts';
import type { Endpoint } from '../../lambda/app/http/pipeline.ts';
import { listMarkets } from '../../lambda/app/markets/market-lists.ts';
import type { RouteName } from '../../lambda/core/contract/route-table.ts';
import type { Market } from '../../lambda/core/domain/market.ts';
import { ServiceError } from '../../lambda/core/domain/service-error.ts';
import { sleep } from '../../lambda/io/platform/clock.ts';
import { liveRead } from '../../lambda/io/polymarket/live-read.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { Dice } from '../support/dice.ts';
import { endpointRequest } from '../support/endpoint-request.ts';
import type { Report } from './invariants.ts';
import { middle, type TrueMarket } from './truth.ts';
import { MINUTE, type World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** The value that a sort compares; undefined comes last. */
const SORTS: Readonly<Record<string, (market: Market) => number | undefined>> = {
  volume: ({ volume }) => -volume,
  probability: ({ currentProbability }) => -currentProbability,
  spread: ({ spread }) => spread,
  change1d: ({ oneDayPriceChange }) => (oneDayPriceChange === null ? undefined : -oneDayPriceChange),
  move1h: ({ oneHourPriceChange, doubtfulChanges = [] }) =>
    oneHourPriceChange === null || doubtfulChanges.includes('oneHourPriceChange')
      ? undefined
      : -Math.abs(oneHourPriceChange),
};
const FILTERS: readonly (readonly [query: string, keeps: (market: Market) => boolean])[] = [
  ['', () => true],
  ['&minVolume=20000', ({ volume }) => volume >= 20_000],
  ['&minProbability=10&maxProbability=70', ({ currentProbability: p }) => p >= 10 && p <= 70],
  ['&maxSpread=0.02', ({ spread }) => spread !== undefined && spread <= 0.02],
];

const COMPARED_FIELDS = ['currentProbability', 'volume', 'oneDayPriceChange', 'priceSource', 'clobTokenId'] as const;

/** Calls the endpoints as callers do, and evaluates each query a second time over the snapshot that was published. */
export class Callers {
  /** Compared rows and points. */
  readonly compared = { list: 0, history: 0 };
  readonly #world: World;
  readonly #dice: Dice;
  readonly #report: Report;
  readonly #list: Call;
  readonly #history: Call;

  constructor(world: World, report: Report) {
    const { clock } = world;
    this.#world = world;
    this.#dice = new Dice(world.options.seed + 1);
    this.#report = report;
    const { clob, data } = world.upstreams();
    const histories = new PriceHistories({ clob, data, clock });
    this.#list = callOf('list-markets', listMarkets({ snapshots: world.reader(2), now: clock.now }));
    this.#history = callOf('get-prices-history', getPricesHistory({ histories, live: liveRead(clock), clock }));
  }

  /** One round of calls. Never throws. */
  async call(): Promise<void> {
    try {
      await this.#checkList();
      await this.#checkHistory();
    } catch (error) {
      this.#report('a call', 'a response or an error of the contract', String(error));
    }
  }

  async #checkList(): Promise<void> {
    const sort = this.#dice.pick(Object.keys(SORTS) as [string, ...string[]]);
    const [filter, keeps] = this.#dice.pick(FILTERS as [(typeof FILTERS)[number]]);
    const limit = Math.floor(this.#dice.between(20, 120));
    const query = `/api/markets?sort=${sort}${filter}`;
    const walk = await this.#walk(`${query}&limit=${limit}&fields=all`);
    const published = this.#world.published.find(({ snapshot }) => snapshot.id === walk?.id);
    if (!walk || !published) return;
    const { rows } = walk;
    const expected = sorted(published.snapshot.markets.filter(keeps), SORTS[sort]);
    const ids = (some: readonly { id?: unknown }[]) => some.map((one) => one.id).join(' ');
    if (ids(rows) !== ids(expected)) this.#report(query, ids(expected).slice(0, 200), ids(rows).slice(0, 200));
    for (const [n, row] of rows.entries()) {
      const market = expected[n];
      for (const field of COMPARED_FIELDS) {
        if (row[field] !== market?.[field]) this.#report(`${query} ${field}`, `${market?.[field]}`, `${row[field]}`);
      }
    }
    this.compared.list += rows.length;
  }

  /** Follows the `next` links of a list, one a minute: other snapshots are published meanwhile. */
  async #walk(first: string): Promise<{ readonly id: string; readonly rows: Row[] } | undefined> {
    const rows: Row[] = [];
    for (let target = first; ; ) {
      const reply = await this.#list(target);
      if (!reply) return undefined;
      rows.push(...JSON.parse(reply.body));
      const next = /<([^>]*)>; rel="next"/.exec(reply.headers.Link ?? '')?.[1];
      if (next === undefined) return { id: reply.headers['X-Snapshot-Id'] ?? '', rows };
      target = next;
      await sleep(this.#world.clock, MINUTE);
    }
  }

  /** Of YES or NO: each point is the middle of the book at its time. */
  async #checkHistory(): Promise<void> {
    const { clock, polymarket } = this.#world;
    const truth = this.#dice.pick(polymarket.markets as [TrueMarket, ...TrueMarket[]]);
    const token = this.#dice.pick([truth.yes, truth.no]);
    const end = Math.floor(clock.now() / 1_000) - Math.floor(this.#dice.between(0, 3_000));
    const start = end - Math.floor(this.#dice.between(600, 7_200));
    const target = `/api/clob/prices-history?token_id=${token}&startTs=${start}&endTs=${end}&fidelity=5`;
    const reply = await this.#history(target);
    if (!reply) return;
    const { history }: { history: readonly { t: number; p: number; payout?: boolean }[] } = JSON.parse(reply.body);
    let before = Number.NEGATIVE_INFINITY;
    for (const { t, p, payout } of history) {
      const price = middle(truth.quote(t * 1_000));
      const expected = token === truth.yes ? price : 1 - price;
      const isRight = t >= start && t <= end && t > before && payout === undefined && Math.abs(p - expected) < 1e-6;
      if (!isRight) this.#report(target, `${expected} at ${t}`, JSON.stringify({ t, p, payout }));
      before = t;
    }
    this.compared.history += history.length;
  }
}

/** @returns undefined for an error of the contract, which is not compared */
type Call = (target: string) => Promise<Reply | undefined>;
type Reply = Readonly<{ body: string; headers: Readonly<Record<string, string>> }>;

function callOf<R extends RouteName>(route: R, endpoint: Endpoint<R>): Call {
  return async (target) => {
    try {
      return await endpoint(endpointRequest(route, target));
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'internal_error') return undefined;
      throw error;
    }
  };
}

/** Ties in list order. */
function sorted(markets: readonly Market[], compared: (typeof SORTS)[string] = () => undefined): readonly Market[] {
  const key = (market: Market) => compared(market) ?? Number.POSITIVE_INFINITY;
  return markets.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)));
}
