import { CallCounter } from '../../../../lambda/http-client/call-counter.ts';
import type { ServiceMetrics } from '../../../../lambda/platform/telemetry.ts';
import type { PriceMemory, Published, SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { type ReportedRefreshOptions, reportedRefresh } from '../../../../lambda/refresh/reported-refresh.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { fakeMemory, fakePrices, fakePublisher, listable, pagedCatalogue } from './fake-upstreams.ts';

const RUN_MS = 100_000;
export const PREVIOUS_AGE_SECONDS = 130;

interface Options extends Partial<ReportedRefreshOptions> {
  /** Markets whose history is known, of ten. */
  readonly changed?: number;
  /** Of the previous snapshot. */
  readonly markets?: number;
}

/** A run that finds ten markets, and what it tells the operator. */
export function reportedRun(
  publisher: Partial<SnapshotPublisher> = {},
  previousAge = PREVIOUS_AGE_SECONDS,
  { changed = 10, markets = 10, ...overrides }: Options = {},
) {
  const clock = new ManualClock();
  const previous: Published = {
    id: 'previous',
    asOf: clock.now() - previousAge * 1_000,
    markets,
    counts: { skipped: 0, withOneDayChange: 0, cataloguePriced: 0 },
    shrunkRuns: 0,
  };
  const lines: { level: string; message: string; fields: object }[] = [];
  const metrics = new Map<string, number>();
  const upstreams: (readonly [string, object])[] = [];
  /** The metrics that had been collected when they were written. */
  const flushed: string[][] = [];
  const log = (level: string) => (message: string, fields: object) => lines.push({ level, message, fields });
  const counters = {
    gamma: new CallCounter(() => undefined),
    clob: new CallCounter(() => undefined),
    data: new CallCounter(() => undefined),
  };
  const run = reportedRefresh({
    catalogue: pagedCatalogue([Array.from({ length: 10 }, (_, n) => listable(catalogueMarket(n)))]),
    prices: fakePrices({
      histories: async (tokens, { start }) =>
        new Map(tokens.slice(0, changed).map((token) => [token, [{ t: start, p: 0.4 }]])),
    }),
    publisher: { ...fakePublisher(previous).publisher, ...publisher },
    clock,
    random: () => 0.5,
    maxMarkets: 100,
    logger: { info: log('info'), warn: log('warn'), error: log('error') } as ReportedRefreshOptions['logger'],
    metrics: {
      add: (name: string, value: number) => metrics.set(name, (metrics.get(name) ?? 0) + value),
      addUpstream: (name: string, counts: object) => upstreams.push([name, counts]),
      flush: () => flushed.push([...metrics.keys()]),
    } as unknown as ServiceMetrics,
    counters,
    ...overrides,
  });
  return {
    clock,
    previous,
    counters,
    lines,
    logged: () => lines.map(({ message }) => message),
    metrics,
    upstreams,
    flushed,
    /** With time enough for whatever waits. */
    run: async (kind?: 'full' | 'prices') => {
      const running = run(RUN_MS, kind);
      running.catch(() => undefined);
      await clock.advance(RUN_MS);
      await running;
    },
  };
}

export const failing = async (): Promise<never> => {
  throw new Error('DynamoDB is not there');
};

/** A memory that knows where five of ten markets were a day ago. */
export function memoryOf(overrides: Partial<PriceMemory> = {}): PriceMemory {
  const last = catalogueMarket(4).yesTokenId;
  return fakeMemory({ baseline: (token) => ({ price: 0.4, own: token <= last }), ...overrides });
}
