import { paddedConditionId } from '../../../../lambda/core/domain/ids.ts';
import type {
  CatalogueMarket,
  CatalogueRecord,
  Market,
} from '../../../../lambda/core/domain/market.ts';
import type { BookSides } from '../../../../lambda/core/domain/price.ts';
import { sleep } from '../../../../lambda/io/platform/clock.ts';
import type { RangeQuery } from '../../../../lambda/io/platform/dynamodb.ts';
import type {
  PointerInfo,
  SnapshotDraft,
} from '../../../../lambda/io/snapshots/snapshot-writer.ts';
import type { StoredPriceItem } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { BandPlan } from '../../../../lambda/jobs/refresh/bands.ts';
import { withoutPrices } from '../../../../lambda/jobs/refresh/prices.ts';
import { type RunKind, runRefresh } from '../../../../lambda/jobs/refresh/refresh.ts';
import { RejectedTokens } from '../../../../lambda/jobs/refresh/rejected-tokens.ts';
import type { RefreshDependencies } from '../../../../lambda/jobs/refresh/run.ts';
import type { RunResult } from '../../../../lambda/jobs/refresh/run-result.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { type MarketOverrides, testMarket } from '../../../support/markets.ts';

/** A market as the catalogue describes it; the higher `n`, the lower its volume. */
export function catalogueMarket(n: number, overrides: MarketOverrides = {}): CatalogueMarket {
  return withoutPrices(testMarket(n, overrides));
}

/** A book whose middle is this price. */
export function bookAround(price: number): BookSides {
  return { bid: Number((price - 0.01).toFixed(4)), ask: Number((price + 0.01).toFixed(4)) };
}

export function catalogueMarkets(count: number): CatalogueMarket[] {
  return Array.from({ length: count }, (_, n) => catalogueMarket(n));
}

export function listable(market: CatalogueMarket): CatalogueRecord {
  return { kind: 'listable', id: paddedConditionId(market.id), market };
}

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The items of samples and backfill in memory. Set `broken` to let all calls fail. */
export class FakeStore {
  broken = false;
  /** Items that a query yields before it fails. */
  failsAfter = Number.POSITIVE_INFINITY;
  readonly queries: { partition: string; from: number; deadline: number }[] = [];
  readonly items = new Map<string, StoredPriceItem[]>();

  async put(partition: string, item: StoredPriceItem): Promise<void> {
    this.#check();
    this.items.set(partition, [...(this.items.get(partition) ?? []), item]);
  }

  async *query(
    partition: string,
    { from = 0, to = Number.MAX_SAFE_INTEGER, newestFirst, limit }: RangeQuery,
    deadline: number,
  ) {
    this.queries.push({ partition, from, deadline });
    this.#check();
    const found = (this.items.get(partition) ?? [])
      .filter(({ n }) => from <= n && n <= to)
      .sort((a, b) => a.n - b.n);
    if (newestFirst) found.reverse();
    for (const [n, item] of found.slice(0, limit).entries()) {
      if (n === this.failsAfter) throw new Error('The table does not respond in time');
      yield item;
    }
  }

  #check(): void {
    if (this.broken) throw new Error('The table does not respond');
  }
}

/** Snapshots in memory, with the pointer's condition. */
export class FakeWriter {
  readonly published: SnapshotDraft[] = [];
  readonly failures: { since: number; at: number; reason: string }[] = [];
  #shrunkRuns = 0;

  get last(): SnapshotDraft | undefined {
    return this.published.at(-1);
  }

  async newest(): Promise<{ info: PointerInfo; markets: readonly Market[] } | undefined> {
    if (!this.last) return undefined;
    const { markets, ...info } = this.last;
    return { info: { ...info, markets: markets.length, shrunkRuns: this.#shrunkRuns }, markets };
  }

  async publish(snapshot: SnapshotDraft) {
    const last = this.last;
    const isNewer =
      !last || (last.asOf < snapshot.asOf && last.catalogueAsOf <= snapshot.catalogueAsOf);
    if (!isNewer) return { outcome: 'superseded' as const, bytes: 0 };
    if (last?.catalogueAsOf !== snapshot.catalogueAsOf) this.#shrunkRuns = 0;
    this.published.push(snapshot);
    return { outcome: 'published' as const, bytes: 1_000 };
  }

  async recordShrunkRun(info: PointerInfo): Promise<void> {
    this.#shrunkRuns = info.shrunkRuns + 1;
  }

  async recordFailure(failure: { since: number; at: number; reason: string }): Promise<void> {
    this.failures.push(failure);
  }
}

/** Upstream, the table and the clock of a test. Tests replace single functions and lists. */
export class RefreshWorld {
  readonly clock: ManualClock;
  readonly store = new FakeStore();
  readonly writer = new FakeWriter();
  markets: readonly CatalogueMarket[] = catalogueMarkets(30);
  readonly calls: string[] = [];
  /** The records of a page as upstream shows them. */
  shown: (records: readonly CatalogueRecord[]) => readonly CatalogueRecord[] = (records) => records;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  /** 100 markets a page; the cursor is the position of the next page. */
  page: RefreshDependencies['catalogue']['page'] = async (cursor, _deadline, atLeast) => {
    this.calls.push('page');
    const all = this.markets.filter(({ volume }) => volume >= (atLeast ?? 0));
    const ordered = atLeast === undefined ? all : all.toReversed();
    const start = Number(cursor ?? 0);
    const end = start + 100;
    const records = this.shown(ordered.slice(start, end).map(listable));
    return {
      records,
      madeAt: this.clock.now(),
      ...(end < ordered.length && { nextCursor: String(end) }),
    };
  };

  recordsByIds: RefreshDependencies['catalogue']['recordsByIds'] = async (ids) => {
    this.calls.push(`find ${ids.length}`);
    return {
      records: this.markets.filter(({ id }) => ids.includes(id)).map(listable),
      madeAt: this.clock.now(),
    };
  };

  /** The best bid and ask of a token now. */
  book: (token: string) => BookSides = () => bookAround(0.5);

  sides: RefreshDependencies['prices']['sides'] = async (tokens) => {
    this.calls.push(`sides ${tokens.length}`);
    return new Map(tokens.map((token) => [token, this.book(token)]));
  };

  lastTrades: RefreshDependencies['prices']['lastTrades'] = async (tokens) => {
    this.calls.push(`last trades ${tokens.length}`);
    return new Map(tokens.map((token) => [token, {}]));
  };

  histories: RefreshDependencies['histories']['read'] = async (tokens, span) => {
    if (span.kind !== 'window') throw new Error('The refresh reads windows only');
    this.calls.push(`histories ${tokens.length} of ${(span.end - span.start) / 3_600} h`);
    return new Map(tokens.map((token) => [token, [{ t: span.start, p: 0.4 }]]));
  };

  /** What a container keeps between its runs. Call it again for another container. */
  container(maxMarkets = 2_000): RefreshDependencies & { readonly writer: FakeWriter } {
    const { clock, store, writer } = this;
    return {
      catalogue: {
        page: (...args) => this.page(...args),
        recordsByIds: (...args) => this.recordsByIds(...args),
      },
      prices: {
        sides: (...args) => this.sides(...args),
        lastTrades: (...args) => this.lastTrades(...args),
      },
      histories: { read: (...args) => this.histories(...args) },
      startPrices: new StartPrices(store, silent),
      rejectedTokens: new RejectedTokens(),
      bandPlan: new BandPlan(),
      writer,
      clock,
      random: () => 0.5,
      maxMarkets,
    };
  }
}

/** Lets time pass until the work has ended. */
export async function whileTimePasses<T>(
  clock: ManualClock,
  work: Promise<T>,
  stepMs = 100,
): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await clock.advance(stepMs);
  return await work;
}

/** Lambda's time for a run without what its report needs. */
export const RUN_MS = 116_000;

/** A stage whose runs happen in one container, until there is a new one. */
export function refreshRig() {
  const clock = new ManualClock();
  const world = new RefreshWorld(clock);
  let container = world.container();
  const tryRun = (kind: RunKind = 'full'): Promise<RunResult> =>
    whileTimePasses(clock, runRefresh(kind, container, clock.now() + RUN_MS));
  const run = async (kind?: RunKind): Promise<RunResult> => {
    const result = await tryRun(kind);
    if (result.outcome.kind === 'failed') throw result.outcome.error;
    return result;
  };
  const newContainer = (maxMarkets?: number) => {
    container = world.container(maxMarkets);
  };
  return { clock, world, writer: world.writer, run, tryRun, newContainer };
}

/** A stage whose first run was this long ago. */
export async function rigAfterRun(ms: number) {
  const rig = refreshRig();
  await rig.run();
  await rig.clock.advance(ms);
  return rig;
}

/** The same call, which takes this long. */
export function delayed<A extends unknown[], R>(
  clock: ManualClock,
  call: (...args: A) => Promise<R>,
  ms: number,
) {
  return async (...args: A): Promise<R> => {
    await sleep(clock, ms);
    return await call(...args);
  };
}

export async function unreachable(): Promise<never> {
  throw new Error('upstream is down');
}
