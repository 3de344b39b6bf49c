import type { Market } from '../../lambda/domain/market.ts';
import { dynamoDbClient } from '../../lambda/platform/dynamodb.ts';
import { type MarketQuery, select } from '../../lambda/query/select.ts';
import { createSnapshotCache } from '../../lambda/snapshots/snapshot-cache.ts';
import type { BenchService } from './service.ts';
import { cpuRatio, cpuTime, type Result } from './timing.ts';

/** Queries that read every market; the slowest of them counts. */
const QUERIES: readonly MarketQuery[] = [
  { sort: 'move1d' },
  { sort: 'endDate', minProbability: 20, maxProbability: 80 },
  { sort: 'probability', order: 'asc', category: 'sports', minVolume: 1_000 },
  { sort: 'spread', tag: ['bitcoin', 'nba', 'politics'], maxSpread: 0.05 },
  { sort: 'volume24h', endsAfter: { kind: 'after', milliseconds: 86_400_000 } },
];

/** The default page from memory, against a handler that returns the same response as a constant. */
export async function warmPage(service: BenchService, rounds: number): Promise<readonly Result[]> {
  const handler = await service.handler('list-markets');
  const event = service.event('/api/markets');
  await service.refresh('prices');
  const constant = await handler(event, {});
  if (constant.statusCode !== 200) throw new Error(`The list responds with ${constant.statusCode}`);
  const { ratio, oursMs } = await cpuRatio(
    rounds,
    async () => JSON.stringify(await handler(event, {})),
    async () => JSON.stringify(await Promise.resolve(constant)),
  );
  const detail = `${oursMs.toFixed(2)} ms of CPU, against a constant string`;
  return [{ name: 'warm default page', detail, value: ratio, unit: '×', target: 1.2 }];
}

/** Filter and sort for the markets of the service, and for five times as many. */
export async function filterAndSort(service: BenchService, rounds: number): Promise<readonly Result[]> {
  const logger = { warn: console.warn };
  const table = service.environment.SNAPSHOT_TABLE ?? '';
  const snapshots = createSnapshotCache({ client: dynamoDbClient(service.environment), table, logger });
  const { markets, info } = await snapshots.latest();
  const results: Result[] = [];
  for (const [copies, target] of [
    [1, 5],
    [5, 20],
  ] as const) {
    const all = Array.from({ length: copies }, () => markets).flat();
    let slowest = 0;
    for (const query of QUERIES) {
      const work = () => select(listOf(all), query, info.asOf);
      slowest = Math.max(slowest, await cpuTime(rounds, work));
    }
    const name = `filter and sort ${all.length.toLocaleString('en')} markets`;
    results.push({
      name,
      detail: `the slowest of ${QUERIES.length} queries`,
      value: slowest,
      unit: 'ms',
      target,
    });
  }
  return results;
}

function listOf(markets: readonly Market[]) {
  return {
    length: markets.length,
    markets,
    market: (position: number) => markets[position] as Market,
    find: () => undefined,
  };
}
