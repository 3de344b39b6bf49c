import { Archive } from '../../lambda/app/archive/archive-job.ts';
import { type Day, dayOf } from '../../lambda/app/archive/day.ts';
import type { PublishedSnapshot } from '../../lambda/app/archive/published-snapshots.ts';
import type { Market } from '../../lambda/core/domain/market.ts';
import { FolderStore } from '../../local/folder-store.ts';

const MINUTE_MS = 60_000;

/**
 * Two days and a preview of today, with a running service's markets and made-up prices. Half of the markets are
 * resolved after the first day, so that all queries of docs/archive.md find rows.
 */
export async function writeSampleArchive(url: string, folder: string): Promise<void> {
  const response = await fetch(`${url}/api/markets?limit=20&fields=all`);
  const markets = (await response.json()) as readonly Market[];
  const today = dayOf(Date.now());
  const time = { now: 0 };
  const archive = new Archive({
    snapshots: {
      between: async (from, to) => everyMinute(dayOf((from + to) / 2)),
      async *read(snapshots: readonly PublishedSnapshot[]) {
        for (const { asOf } of snapshots) {
          const listed = asOf < dayOf(today.start, -1).start ? markets : markets.slice(markets.length / 2);
          yield listed.map((market, n) => pricedAt(market, n, asOf));
        }
      },
    },
    store: new FolderStore(folder),
    resolutions: { read: async (ids) => new Map(ids.map((id) => [id, { status: 'resolved', payouts: [1, 0] }])) },
    clock: { now: () => time.now, after: () => () => undefined },
    logger: { info: () => undefined, warn: console.error, error: console.error },
  });
  for (const day of [-2, -1, 0].map((days) => dayOf(today.start, days))) {
    time.now = day.date === today.date ? day.end - MINUTE_MS : day.end + 20 * MINUTE_MS;
    await archive.write(day);
  }
  await archive.index();
}

/** Without the day's second hour. */
function everyMinute({ start, date }: Day): PublishedSnapshot[] {
  const all = Array.from({ length: 24 * 60 }, (_, n) => ({ id: `${date}-${n}`, asOf: start + n * MINUTE_MS }));
  return all.filter((_, n) => n < 60 || n >= 120);
}

function pricedAt(market: Market, n: number, time: number): Market {
  const midpoint = 0.5 + 0.4 * Math.sin(n + time / (3 + n) / 3_600_000);
  return { ...market, midpoint, currentProbability: 100 * midpoint, priceSource: 'book' };
}
