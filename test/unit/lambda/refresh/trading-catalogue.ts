import type { CatalogueMarket } from '../../../../lambda/domain/market.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import type { Catalogue } from '../../../../lambda/refresh/ports.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import type { Dice } from '../../../support/dice.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { listable } from './fake-upstreams.ts';

const PAGE = 100;
/** Shares of the markets that trade, and that close, while a page is made. */
const TRADED = 0.02;
const CLOSED = 0.0005;
/** One trade in so many is no drop but a flood: the volume grows up to a hundredfold. */
const JUMPS = 30;

interface Trading {
  readonly market: CatalogueMarket;
  readonly entry: SnapshotEntry;
  volume: number;
  open: boolean;
}

const MARKETS = Array.from({ length: 2_000 }, (_, n) => ({
  market: catalogueMarket(n),
  entry: snapshotEntry(n),
}));

/** A catalogue whose markets trade, jump and close while it is read; its pages come in any order. */
export class TradingCatalogue implements Catalogue {
  readonly #dice: Dice;
  readonly #markets: readonly Trading[];
  /** Nearly sorted all the time, which is quick to put right. */
  readonly #upwards: Trading[];

  constructor(dice: Dice, count: number) {
    this.#dice = dice;
    this.#markets = MARKETS.slice(0, count).map((market, n) => ({
      ...market,
      volume: 5e8 / (n + 1),
      open: true,
    }));
    this.#upwards = this.#markets.toReversed();
  }

  /** What a snapshot of the first markets holds now, but for those that nobody knew of. */
  entries(count: number, unknown = 0): SnapshotEntry[] {
    const top = this.#upwards.filter(({ open }) => open).slice(-count);
    return top
      .reverse()
      .filter(() => !this.#dice.chance(unknown))
      .map(({ entry, volume }) => ({ ...entry, market: { ...entry.market, volume } }));
  }

  /** Ids of the open markets of at least a volume. */
  open(atLeast = 0): Set<string> {
    return new Set(
      this.#markets.flatMap(({ market, volume, open }) => (open && volume >= atLeast ? [market.id] : [])),
    );
  }

  trade(): void {
    const dice = this.#dice;
    const some = (share: number) => Math.floor(share * this.#markets.length + dice.random());
    const pick = () => this.#markets[Math.floor(dice.between(0, this.#markets.length))];
    for (let n = some(TRADED); n > 0; n--) {
      const one = pick();
      if (!one) continue;
      if (dice.chance(1 / JUMPS)) one.volume *= dice.between(1, 100);
      else one.volume = one.volume * dice.between(1, 1.001) + dice.between(0, 1_000);
    }
    for (let n = some(CLOSED); n > 0; n--) {
      const one = pick();
      if (one) one.open = false;
    }
    this.#upwards.sort((a, b) => a.volume - b.volume || (a.market.id < b.market.id ? -1 : 1));
  }

  page: Catalogue['page'] = async (cursor, _deadline, atLeast) => {
    await this.#turn();
    const order = atLeast === undefined ? this.#upwards.toReversed() : this.#upwards;
    const sign = atLeast === undefined ? -1 : 1;
    const [after, afterId = ''] = cursor?.split(' ') ?? [];
    const limit = Number(after ?? atLeast ?? Number.POSITIVE_INFINITY);
    const isAfter = ({ volume, market }: Trading) =>
      (volume - limit) * sign > 0 || (volume === limit && (market.id > afterId ? sign : -sign) > 0);
    const some = order.filter((one) => one.open && isAfter(one)).slice(0, PAGE);
    const last = some.at(-1);
    return {
      records: some.map(({ market, volume }) => listable({ ...market, volume })),
      ...(some.length === PAGE && last ? { nextCursor: `${last.volume} ${last.market.id}` } : {}),
    };
  };

  find: Catalogue['find'] = async (ids) => {
    await this.#turn();
    const some = this.#markets.filter(({ market, open }) => open && ids.includes(market.id));
    return some.map(({ market, volume }) => listable({ ...market, volume }));
  };

  async #turn(): Promise<void> {
    for (let turns = this.#dice.between(1, 4); turns > 0; turns--) await Promise.resolve();
    this.trade();
  }
}
