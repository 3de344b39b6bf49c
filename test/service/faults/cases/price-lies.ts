import { MAX_PAGE_BYTES } from '../../../../lambda/contract/upstreams.ts';
import { type FaultCase, failedCall, type LogLine, MANY } from '../support/fault-case.ts';
import { LIES, type Lie } from './lie-kinds.ts';

const BATCH = 'batch-prices-history';
const SINGLE = 'prices-history';
const DATA = 'data-prices-history';
const CATALOGUE_PRICES = { oneDay: 'none', long: 'none', prices: 'catalogue' } as const;
const COVERED = [97, 100] as const;
/** Histories that fail are tried until it is time for the prices: nobody needs to see that for 90 s. */
const TRIED_MS = 13_000;
const PAGE_MB = MAX_PAGE_BYTES / 1_000_000;

/** Midpoints that lie are none, and the catalogue's prices stand in. */
function midpoints({ what, fault, failure }: Lie): FaultCase {
  return {
    fault: `Midpoints ${what}`,
    upstream: [{ route: 'midpoints', ...fault }],
    run: 'published',
    readers: { new: CATALOGUE_PRICES },
    log: [failedCall('midpoints', failure)],
    metrics: { MarketsCataloguePriced: [200, 250] },
    ...(fault.kind === 'endless' ? { mostMb: PAGE_MB } : {}),
  };
}

/** A history route that lies is passed over. */
function oneHistoryRoute({ what, fault, failure }: Lie): FaultCase {
  return {
    fault: `Histories of the batch route ${what}`,
    upstream: [{ route: BATCH, ...fault }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [failedCall(BATCH, failure)],
    metrics: { OneDayChangeCoverage: COVERED },
  };
}

/** When all of them lie there is no change, and everything else. */
function allHistoryRoutes(what: string, fault: Lie['fault'], failures: readonly LogLine[]): FaultCase {
  return {
    fault: `Histories of all routes ${what}`,
    upstream: ([BATCH, SINGLE, DATA] as const).map((route) => ({ route, ...fault })),
    changes: { runMs: TRIED_MS },
    forgets: true,
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none' } },
    log: failures,
    metrics: { OneDayChangeCoverage: 0, 'UpstreamFailures data': [1, MANY] },
    ...(fault.kind === 'endless' ? { mostMb: PAGE_MB } : {}),
  };
}

const onAllRoutes = (failure: string): LogLine[] =>
  [BATCH, SINGLE, 'v2-prices-history'].map((route) => failedCall(route, failure));

/** Midpoints and histories lie about what they are, or are what nobody could want. */
export const PRICE_LIE_CASES: readonly FaultCase[] = [
  ...LIES.map(midpoints),
  {
    fault: 'Midpoints that call themselves HTML',
    upstream: [{ route: 'midpoints', kind: 'mislabelled' }],
    run: 'published',
    readers: { new: {} },
    metrics: { 'UpstreamFailures clob': 0 },
  },
  {
    fault: 'Midpoints of other tokens than those that were asked for',
    upstream: [{ route: 'midpoints', kind: 'wrong-token' }],
    run: 'published',
    readers: { new: CATALOGUE_PRICES },
    metrics: { MarketsCataloguePriced: [200, 250] },
  },
  // The next route does not mind in which way the first has lied: every way is among those of all routes.
  ...LIES.slice(0, 1).map(oneHistoryRoute),
  {
    fault: 'Histories of other tokens than those that were asked for',
    upstream: [{ route: BATCH, kind: 'wrong-token' }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [failedCall(BATCH, 'wrong_shape')],
    metrics: { OneDayChangeCoverage: COVERED },
  },
  // 30 MB are the beginning of an endless history.
  ...LIES.filter(({ fault }) => fault.kind !== 'huge').map(({ what, fault, failure }) =>
    allHistoryRoutes(what, fault, onAllRoutes(failure)),
  ),
  allHistoryRoutes('of nonsense types', { kind: 'nonsense' }, onAllRoutes('wrong_shape')),
];
