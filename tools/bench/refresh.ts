import { perUpstream } from '../../lambda/contract/upstreams.ts';
import { systemClock } from '../../lambda/platform/clock.ts';
import { refreshUpstreams } from '../../lambda/polymarket/refresh-upstreams.ts';
import { refresh } from '../../lambda/refresh/refresh.ts';
import { SnapshotWriter } from '../../lambda/snapshots/snapshot-writer.ts';
import { startSimulatedUpstream } from '../../local/simulated-upstream.ts';
import { MemoryTable } from '../../test/support/memory-table.ts';
import { table } from './timing.ts';

const MARKETS = 2_000;
const RUN_MS = 118_000;
/** The promise: the histories and prices of all markets cost a fifth more than the catalogue alone. */
const PROMISED = 1.2;

/** A refresh against upstreams as slow as the real ones, beside the crawl of its pages and nothing else. */
export async function benchRefresh(markets: number): Promise<string> {
  const upstream = await startSimulatedUpstream({ markets, latency: 'realistic' });
  const { catalogue, prices } = refreshUpstreams({
    urls: perUpstream(() => upstream.url),
    fetch: globalThis.fetch,
    clock: systemClock,
    random: Math.random,
  });
  const { client, table: name } = new MemoryTable();
  const publisher = new SnapshotWriter({ client, table: name, now: systemClock.now, keptSeconds: 3_600 });
  try {
    const end = Date.now() + RUN_MS;
    const { report, durationMs, publishMs } = await refresh(
      { catalogue, prices, publisher, clock: systemClock, random: Math.random, maxMarkets: MARKETS },
      end,
    );
    const started = Date.now();
    let cursor: string | undefined;
    for (let page = 0; page < report.pages; page++) cursor = (await catalogue.page(cursor, end)).nextCursor;
    const pagesMs = Date.now() - started;
    const ratio = durationMs / pagesMs;
    const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
    return table(`A refresh of ${report.markets} markets, upstreams as slow as the real ones`, [
      [`the ${report.pages} pages alone`, seconds(pagesMs)],
      [`the whole run, ${report.historyBatches} history batches included`, seconds(durationMs)],
      ['of that, from reading the prices to the published snapshot', seconds(publishMs)],
      [
        'ratio',
        `${ratio.toFixed(2)} (promised: at most ${PROMISED}; ${ratio <= PROMISED ? 'kept' : 'BROKEN'})`,
      ],
    ]);
  } finally {
    await upstream.close();
  }
}
