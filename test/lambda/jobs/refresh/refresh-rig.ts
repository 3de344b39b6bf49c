import type { CatalogueMarket, CatalogueRecord } from '../../../../lambda/core/domain/market.ts';
import { type BookSides, quoteOf } from '../../../../lambda/core/domain/quote.ts';
import { BandPlan } from '../../../../lambda/jobs/refresh/bands.ts';
import { type RunKind, runRefresh } from '../../../../lambda/jobs/refresh/refresh.ts';
import { RejectedTokens } from '../../../../lambda/jobs/refresh/rejected-tokens.ts';
import type { RefreshDependencies } from '../../../../lambda/jobs/refresh/run.ts';
import type { RunResult } from '../../../../lambda/jobs/refresh/run-result.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { bookAround, catalogueMarkets, listable } from './catalogue-markets.ts';
import { FakeStore, silent } from './fake-store.ts';
import { FakeWriter } from './fake-writer.ts';

/*
 * A stage of the refresher in memory. For example, a price run publishes the prices of the books:
 *
 *     const { world, clock, writer, run } = refreshRig();
 *     world.markets = [catalogueMarket(0), catalogueMarket(1)];
 *     await run('full');
 *     world.book = () => bookAround(0.6);
 *     await clock.advance(MINUTE_MS);
 *     await run('prices');
 *     expect(writer.last?.markets[0]?.currentProbability).toBe(60);
 */

/** Upstream, the table and the clock of a test. Tests replace single functions and lists. */
export class RefreshWorld {
  readonly clock: ManualClock;
  readonly store = new FakeStore();
  readonly writer = new FakeWriter();
  /** The markets of the catalogue, by volume, largest first. */
  markets: readonly CatalogueMarket[] = catalogueMarkets(30);
  /** A line for each call to upstream, such as `page`, `sides 250` or `histories 20 of 36 h`. */
  readonly calls: string[] = [];
  /** Changes the records of a page before upstream shows them. */
  shown: (records: readonly CatalogueRecord[]) => readonly CatalogueRecord[] = (records) => records;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  /**
   * 100 markets a page; the cursor is the position of the next page. With a lower bound of the
   * volume (`atLeast`), the smallest volume is first.
   */
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

  /** By default, 100 shares at each best price. */
  bestLevels: RefreshDependencies['prices']['bestLevels'] = async (tokens) =>
    new Map(
      tokens.map((token) => {
        const quote = quoteOf(this.book(token), undefined);
        return [token, { ...quote, bidSize: 100, askSize: 100 }];
      }),
    );

  /** By default, the price was always 0.4, with a point every two hours. */
  histories: RefreshDependencies['histories']['read'] = async (tokens, span) => {
    if (span.kind !== 'window') throw new Error('The refresh reads windows only');
    this.calls.push(`histories ${tokens.length} of ${(span.end - span.start) / 3_600} h`);
    const count = Math.ceil((span.end - span.start) / 7_200);
    const points = Array.from({ length: count }, (_, n) => ({ t: span.start + n * 7_200, p: 0.4 }));
    return new Map(tokens.map((token) => [token, points]));
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
        bestLevels: (...args) => this.bestLevels(...args),
      },
      histories: { read: (...args) => this.histories(...args) },
      startPrices: new StartPrices(store, silent),
      rejectedTokens: new RejectedTokens(),
      bandPlan: new BandPlan(),
      writer,
      clock,
      random: () => 0.5,
      maxMarkets,
      upstream: 'gamma.test',
    };
  }
}

/** The time of a run: the 118 s of Lambda, less 2 s for the report. */
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

export async function unreachable(): Promise<never> {
  throw new Error('upstream is down');
}
