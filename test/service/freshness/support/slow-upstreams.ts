import { type Clock, sleep } from '../../../../lambda/platform/clock.ts';
import type { Catalogue, HistoryRange, Prices } from '../../../../lambda/refresh/ports.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import type { Dice } from '../../../support/dice.ts';
import type { Trouble } from './troubles.ts';

/** What upstream.md and the simulator take for realistic, ms on average; each varies by this share either way. */
const PAGE_MS = 1_100;
const HISTORY_BATCH_MS = 500;
const MIDPOINTS_MS = 250;
const JITTER = 0.3;
const SLOW_FACTOR = 4;
/** The client's deadline of a call, and its greatest pause before the next attempt (lambda/http-client). */
const CLOB_TIMEOUT_MS = 5_000;
const BACKOFF_MS = 8_000;

/** As many pages as 2,000 markets take; few markets on each, so that an hour is simulated in a second. */
const PAGES = 22;
const MARKETS_A_PAGE = 20;
export const SIMULATED_MARKETS = PAGES * MARKETS_A_PAGE;

export interface HourContext {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly troubled: (trouble: Trouble) => boolean;
}

/** Upstreams with realistic latencies; prices change every second, and all markets have the same. */
export function slowUpstreams(context: HourContext): { catalogue: Catalogue; prices: Prices } {
  const { clock, dice, troubled } = context;
  const take = (ms: number) => sleep(clock, ms * dice.between(1 - JITTER, 1 + JITTER));
  const pages = Array.from({ length: PAGES }, (_, page) =>
    Array.from({ length: MARKETS_A_PAGE }, (_, n) => {
      const market = catalogueMarket(page * MARKETS_A_PAGE + n);
      return { kind: 'listable', id: market.id, market } as const;
    }),
  );

  return {
    catalogue: {
      async page(cursor, deadline) {
        while (troubled('catalogue down')) {
          await sleep(clock, dice.between(0, BACKOFF_MS));
          if (clock.now() >= deadline) throw new Error('The catalogue is down');
        }
        await take(troubled('catalogue slow') ? PAGE_MS * SLOW_FACTOR : PAGE_MS);
        const n = Number(cursor ?? 0);
        const records = pages[n] ?? [];
        return n + 1 < pages.length ? { records, nextCursor: String(n + 1) } : { records };
      },
      // All markets are on the pages, always.
      find: async () => [],
    },
    prices: {
      async midpoints(tokens) {
        if (troubled('midpoints fail')) {
          await take(CLOB_TIMEOUT_MS);
          throw new Error('No midpoints');
        }
        await take(MIDPOINTS_MS);
        const price = priceAt(clock.now());
        return new Map(tokens.map((token) => [token, price]));
      },
      async histories(tokens, range) {
        await take(HISTORY_BATCH_MS);
        if (troubled('histories fail')) throw new Error('No histories');
        return new Map(tokens.map((token) => [token, pointsOf(range)]));
      },
    },
  };
}

function priceAt(now: number): number {
  return 0.1 + (Math.floor(now / 1_000) % 8_000) / 10_000;
}

function pointsOf(range: HistoryRange) {
  return [{ t: range.start, p: 0.4 }];
}
