/**
 * Decides whether the service is `degraded`: its prices are fresh, but something else is missing,
 * because part of Polymarket ("upstream") is down or hides markets. `/api/status` says what.
 */
import { MAX_FALLBACK_SHARE } from '../contract/constants.ts';
import type { RunCounts, SnapshotInfo } from './snapshot.ts';
import type { UnixMs } from './time.ts';

/**
 * A full run reads the catalogue (questions, volumes, the list of markets). The service is degraded
 * if its catalogue is older than this many intervals between full runs: two runs in a row have
 * failed, and the next one is not late yet.
 */
const MAX_CATALOGUE_INTERVALS = 2.5;

/** What is missing, and since when. */
interface Degradation {
  readonly since: UnixMs;
  /** A sentence for callers: what is missing and what it means. */
  readonly reason: string;
}

/**
 * What a fresh snapshot lacks, in one text for all problems. A snapshot is the list of markets that
 * a run publishes.
 *
 * @param runIntervalMs between full runs
 * @returns undefined if it lacks nothing
 */
export function degradationOf(
  snapshot: Pick<SnapshotInfo, 'catalogueAsOf' | 'fallbackSince' | 'counts' | 'missing'>,
  now: UnixMs,
  runIntervalMs: number,
): Degradation | undefined {
  const { catalogueAsOf, fallbackSince, counts, missing } = snapshot;
  const problems: Degradation[] = [];
  if (now - catalogueAsOf > MAX_CATALOGUE_INTERVALS * runIntervalMs) {
    const reason = `The catalogue could not be read since ${new Date(catalogueAsOf).toISOString()}: prices are current, but questions, volumes and the list of markets are of that time.`;
    problems.push({ since: catalogueAsOf, reason });
  }
  if (fallbackSince !== undefined && hasManyFallbacks(counts.bySource)) {
    const reason = `The order books of ${fallbacksOf(counts.bySource)} markets could not be read: their prices are up to ten minutes old, as \`pricedAt\` and \`priceSource\` show.`;
    problems.push({ since: fallbackSince, reason });
  }
  if (missing) {
    const { since, markets, expected } = missing;
    const reason = `The list lacks ${markets} of the ${expected} markets that it should have: the upstream has not closed them, but no longer shows them or their prices.`;
    problems.push({ since, reason });
  }
  if (problems.length === 0) return undefined;
  return {
    since: Math.min(...problems.map(({ since }) => since)),
    reason: problems.map(({ reason }) => reason).join(' '),
  };
}

/** Whether more than 5 % of the prices are fallbacks. */
export function hasManyFallbacks(bySource: RunCounts['bySource']): boolean {
  const all = Object.values(bySource).reduce((sum, count) => sum + count, 0);
  return fallbacksOf(bySource) > MAX_FALLBACK_SHARE * all;
}

/**
 * The number of fallbacks: prices of an earlier snapshot or of the catalogue, because the order
 * book was not read.
 */
function fallbacksOf({ carried, catalogue }: RunCounts['bySource']): number {
  return carried + catalogue;
}
