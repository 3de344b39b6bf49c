import type { FromSchemaNamed } from '../contract/schemas.ts';
import { ageSeconds, type FreshnessRule, isStale } from '../domain/freshness.ts';
import type { MemoryReport } from '../domain/snapshot.ts';
import { NO_STORE } from '../http/cache-control.ts';
import { type HttpResponse, ok } from '../http/response.ts';
import type { LatestPointer } from '../snapshots/latest-pointer.ts';
import { unreadableError } from '../snapshots/snapshot-errors.ts';
import type { UpstreamState } from './ports.ts';

export interface GetStatusOptions {
  readonly pointer: LatestPointer;
  readonly rule: FreshnessRule;
  readonly refreshIntervalSeconds: number;
  /** What is deployed. */
  readonly version: string;
  /** Whether the prices come from a simulator. */
  readonly simulated: boolean;
  /** What is known of the upstream; undefined where nothing is, or it cannot be read. */
  readonly upstream: () => Promise<UpstreamState | undefined>;
  readonly now: () => number;
}

/** The body of `GET /api/status`. Without a snapshot the fields about it are null. */
export type Status = FromSchemaNamed<'Status'>;

/**
 * `GET /api/status`: how old the data is. 200 whatever the state, so that the state can be read; 502 `snapshot_missing`
 * only when the table cannot tell it.
 */
export function getStatus(options: GetStatusOptions) {
  const { pointer, rule, refreshIntervalSeconds, version, simulated, now } = options;
  return async (): Promise<HttpResponse> => {
    const manifest = await pointer.current().catch((cause: unknown) => {
      throw unreadableError(cause);
    });
    const age = manifest && ageSeconds(manifest.asOf, now());
    const status: Status = {
      status: age === undefined ? 'empty' : isStale(age, rule) ? 'stale' : 'ok',
      asOf: timeOf(manifest?.asOf),
      pricesAsOf: timeOf(manifest?.asOf),
      catalogueAsOf: timeOf(manifest?.catalogueAsOf ?? manifest?.asOf),
      ageSeconds: age === undefined ? null : Math.round(age * 10) / 10,
      markets: manifest?.markets ?? null,
      marketsWithOneDayChange: manifest?.counts.withOneDayChange ?? null,
      marketsCataloguePriced: manifest?.counts.cataloguePriced ?? null,
      skipped: manifest?.counts.skipped ?? null,
      skippedByReason: manifest?.counts.skippedByReason ?? null,
      snapshot: manifest?.id ?? null,
      memorySince: timeOf(manifest?.memory?.since),
      changesFromMemory: manifest?.memory ? changesFromMemory(manifest.memory) : null,
      freshForSeconds: rule.freshSeconds,
      refreshIntervalSeconds,
      version,
      simulated,
      upstream: upstreamStatus(await options.upstream()),
    };
    return ok(JSON.stringify(status), { 'Cache-Control': NO_STORE });
  };
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function changesFromMemory({ oneDay, sevenDay, thirtyDay }: MemoryReport): Status['changesFromMemory'] {
  return { oneDay, sevenDay, thirtyDay };
}

/** The routes in use, and the newest thing that is not as it was before. */
function upstreamStatus(memory: UpstreamState | undefined): Status['upstream'] {
  if (!memory) return null;
  const { known, lastChange } = memory;
  return {
    routes: {
      catalogue: 'gamma /markets/keyset',
      prices: 'clob /midpoints',
      histories: known.historyRoute ?? null,
    },
    unknownVersions: [...known.unknownVersions],
    lastChange: lastChange ? { ...lastChange } : null,
  };
}
