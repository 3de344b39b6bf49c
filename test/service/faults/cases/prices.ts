import type { FaultBench } from '../support/bench.ts';
import { type FaultCase, failedCall, MANY, type Played } from '../support/fault-case.ts';

const BATCH = 'batch-prices-history';
const SINGLE = 'prices-history';
const HISTORY_ROUTES = [BATCH, SINGLE, 'data-prices-history'] as const;
const SOME = [1, MANY] as const;
const COVERED = [97, 100] as const;

async function pricesOnly(bench: FaultBench): Promise<Played> {
  return { outcome: await bench.refreshPrices() };
}

/** Price histories and midpoints fail: no change, or the catalogue's price, but a snapshot all the same. */
export const PRICE_CASES: readonly FaultCase[] = [
  {
    fault: 'One history batch fails for a moment',
    upstream: [{ route: BATCH, kind: 'status', status: 500, times: 1 }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [failedCall(BATCH, 'status', 500)],
    metrics: { 'UpstreamRetries clob': 1 },
  },
  {
    fault: 'One history batch fails for good',
    upstream: [{ route: BATCH, kind: 'status', status: 400, times: 1, after: 2 }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [
      failedCall(BATCH, 'status', 400),
      { message: 'Snapshot published', keys: { historyBatchesFailed: 0 } },
    ],
    metrics: { OneDayChangeCoverage: COVERED },
  },
  {
    fault: 'The batch route is gone (404)',
    upstream: [{ route: BATCH, kind: 'status', status: 404 }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [
      failedCall(BATCH, 'status', 404),
      { message: 'Snapshot published', keys: { historyBatchesFailed: 0 } },
    ],
    metrics: { OneDayChangeCoverage: COVERED },
  },
  {
    fault: 'All routes of price histories are gone (404)',
    upstream: HISTORY_ROUTES.map((route) => ({ route, kind: 'status', status: 404 }) as const),
    forgets: true,
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none' } },
    log: [failedCall(BATCH, 'status', 404), failedCall(SINGLE, 'status', 404)],
    metrics: { OneDayChangeCoverage: 0, 'UpstreamFailures data': SOME },
  },
  {
    fault: 'All routes of price histories are gone, and the service has seen the markets before',
    upstream: HISTORY_ROUTES.map((route) => ({ route, kind: 'status', status: 404 }) as const),
    run: 'published',
    readers: { new: {} },
    log: [{ message: 'Snapshot published', keys: { historyBatches: 0 } }],
    metrics: { OneDayChangeCoverage: COVERED, 'UpstreamFailures clob': 0 },
  },
  {
    fault: 'Histories of nonsense types from the batch route',
    upstream: [{ route: BATCH, kind: 'nonsense' }],
    forgets: true,
    run: 'published',
    readers: { new: {} },
    log: [failedCall(BATCH, 'wrong_shape')],
    metrics: { OneDayChangeCoverage: COVERED },
  },
  {
    fault: 'Half of the midpoints are missing',
    upstream: [{ route: 'midpoints', kind: 'midpoints-missing', share: 0.5 }],
    run: 'published',
    readers: { new: { oneDay: 'some', prices: 'some of the catalogue' } },
    metrics: { MarketsCataloguePriced: [60, 200] },
  },
  {
    fault: 'Midpoints fail for a moment',
    upstream: [{ route: 'midpoints', kind: 'status', status: 500, times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall('midpoints', 'status', 500)],
    metrics: { 'UpstreamRetries clob': 1 },
  },
  {
    fault: 'Midpoints are refused for a moment',
    upstream: [{ route: 'midpoints', kind: 'status', status: 403, times: 3 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall('midpoints', 'status', 403)],
  },
  {
    fault: 'Midpoints are gone for a moment (404)',
    upstream: [{ route: 'midpoints', kind: 'status', status: 404, times: 2 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall('midpoints', 'status', 404)],
  },
  {
    fault: 'Midpoints fail',
    upstream: [{ route: 'midpoints', kind: 'status', status: 500 }],
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none', prices: 'catalogue' } },
    log: [
      failedCall('midpoints', 'status', 500),
      { message: 'Snapshot published', keys: { midpointBatchesFailed: 1 } },
    ],
    metrics: { 'UpstreamRetries clob': [5, MANY] },
  },
  {
    fault: 'Midpoints out of 0..1',
    upstream: [{ route: 'midpoints', kind: 'nonsense' }],
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none', prices: 'catalogue' } },
    metrics: { MarketsCataloguePriced: [200, 250], 'UpstreamRetries clob': 0 },
  },
  {
    fault: 'Midpoints out of 0..1 in a price run',
    upstream: [{ route: 'midpoints', kind: 'nonsense' }],
    changes: { runMs: 9_000 },
    scene: { does: 'a price run', play: pricesOnly },
    run: 'failed',
    readers: 'old',
    log: [{ message: 'Refresh failed', keys: { kind: 'prices' } }],
    metrics: { RefreshFailed: null, PricesFailed: 1 },
  },
  {
    fault: 'Midpoints of other tokens in a price run',
    upstream: [{ route: 'midpoints', kind: 'wrong-token' }],
    changes: { runMs: 9_000 },
    scene: { does: 'a price run', play: pricesOnly },
    run: 'failed',
    readers: 'old',
    log: [{ message: 'Refresh failed', keys: { kind: 'prices' } }],
    metrics: { RefreshFailed: null, PricesFailed: 1 },
  },
  {
    fault: 'Midpoints as HTML',
    upstream: [{ route: 'midpoints', kind: 'html', status: 200 }],
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none', prices: 'catalogue' } },
    log: [failedCall('midpoints', 'not_json', 200)],
    metrics: { 'UpstreamRetries clob': [5, MANY] },
  },
  {
    fault: 'DNS failure of the order books',
    changes: { environment: { CLOB_URL: 'http://no-such-host.invalid' } },
    run: 'published',
    readers: { new: { oneDay: 'none', long: 'none', prices: 'catalogue' } },
    log: [{ message: 'Upstream call failed', keys: { failure: 'network', reason: 'no-such-host.invalid' } }],
    metrics: { 'UpstreamFailures clob': SOME },
  },
];
