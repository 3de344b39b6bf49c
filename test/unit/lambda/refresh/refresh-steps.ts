import { sleep } from '../../../../lambda/platform/clock.ts';
import type { PriceMemory, Published } from '../../../../lambda/refresh/ports.ts';
import { type RefreshDependencies, refresh } from '../../../../lambda/refresh/refresh.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

export const RUN_MS = 50_000;
/** Ms since when the memory has prices, unless a test says otherwise. */
export const SINCE = Date.parse('2026-11-01T00:00:00Z');

interface Setup {
  readonly known?: readonly ReturnType<typeof snapshotEntry>[];
  readonly previous?: Partial<Published>;
  readonly since?: number | undefined;
  readonly memory?: Partial<PriceMemory>;
  readonly publisher?: Partial<RefreshDependencies['publisher']>;
  readonly runMs?: number;
  readonly overrides?: Partial<RefreshDependencies>;
  /** Ms that a history call takes. */
  readonly historyMs?: number;
}

export const market = (n: number) => catalogueMarket(n);
export const entry = (n: number) => ({ ...snapshotEntry(n), midpoint: 0.45 });
const numberOf = (yesTokenId: string) => Number(BigInt(yesTokenId) - 10n ** 70n);

/** Each step of a run of three markets, in order, as it is asked for; times in ms from its beginning. */
export async function refreshSteps({
  known,
  previous: info,
  runMs = RUN_MS,
  historyMs = 0,
  ...options
}: Setup = {}) {
  const clock = new ManualClock();
  const started = clock.now();
  const log: unknown[][] = [];
  const previous: Published | undefined = (known || info) && {
    id: 'previous',
    asOf: started - 120_000,
    markets: known?.length ?? 0,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
    ...info,
  };
  const note = (step: string, deadline: number, ...rest: unknown[]) =>
    log.push([step, clock.now() - started, deadline - started, ...rest]);
  const memory: PriceMemory = {
    since: 'since' in options ? options.since : SINCE,
    baseline: (_, window) => ({ price: 0.4, own: window === 'oneDay' }),
    wants: () => true,
    learn: () => undefined,
    open: async (now, deadline) => {
      note('open memory', deadline, now - started);
      return 1;
    },
    keep: async (asOf, prices, deadline) => {
      note('keep', deadline, asOf - started, [...prices.keys()].map(numberOf));
      return true;
    },
    ...options.memory,
  };
  const store = fakePublisher(previous);
  const catalogue = pagedCatalogue([[market(1), market(2)].map(listable), [listable(market(3))]]);
  const running = refresh(
    {
      catalogue: {
        find: async (ids, deadline) => {
          note('find', deadline, ids.map(Number));
          return await catalogue.find(ids, deadline);
        },
        page: async (cursor, deadline) => {
          note('page', deadline);
          await sleep(clock, 1_000);
          return await catalogue.page(cursor, deadline);
        },
      },
      prices: fakePrices({
        histories: async (tokens, { start }, deadline) => {
          note('histories', deadline, tokens.map(numberOf));
          if (historyMs > 0) await sleep(clock, historyMs);
          return new Map(tokens.map((one) => [one, [{ t: start, p: 0.4 }]]));
        },
        midpoints: async (tokens, deadline) => {
          note('midpoints', deadline, tokens.map(numberOf));
          await sleep(clock, 200);
          return new Map(tokens.map((one) => [one, 0.5]));
        },
      }),
      publisher: {
        ...store.publisher,
        newest: async (deadline) => {
          note('newest', deadline);
          return previous && { published: previous, entries: known ?? [] };
        },
        latest: async (deadline) => {
          note('latest', deadline);
          return previous;
        },
        publish: async (snapshot, deadline) => {
          note('publish', deadline);
          await sleep(clock, 300);
          return await store.publisher.publish(snapshot, deadline);
        },
        recordShrunkRun: async (_, deadline) => {
          note('shrunk', deadline);
          await sleep(clock, 300);
        },
        ...options.publisher,
      },
      clock,
      random: () => 0.25,
      maxMarkets: 100,
      memory,
      ...options.overrides,
    },
    started + runMs,
  );
  running.catch(() => undefined);
  await clock.advance(120_000);
  return {
    log,
    of: (step: string) => log.filter(([name]) => name === step).map(([, ...rest]) => rest),
    result: await running,
    snapshot: store.published[0],
    started,
  };
}
