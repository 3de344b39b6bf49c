import { hasManyFallbacks, type SnapshotInfo } from './snapshot.ts';
import { MINUTE_MS, type UnixMs } from './time.ts';

/** Normally at most seven minutes: five of upstream's cache and two between full runs. */
const MAX_CATALOGUE_AGE_MS = 10 * MINUTE_MS;

interface Degradation {
  readonly since: UnixMs;
  /** For callers: what is missing, and what it means. */
  readonly reason: string;
}

/** What a fresh snapshot lacks because part of upstream does not respond. */
export function degradationOf(
  { catalogueAsOf, fallbackSince, counts }: Pick<SnapshotInfo, 'catalogueAsOf' | 'fallbackSince' | 'counts'>,
  now: UnixMs,
): Degradation | undefined {
  const hasOldCatalogue = now - catalogueAsOf > MAX_CATALOGUE_AGE_MS;
  const hasFallbacks = fallbackSince !== undefined && hasManyFallbacks(counts.bySource);
  if (!hasOldCatalogue && !hasFallbacks) return undefined;
  const { carried, catalogue } = counts.bySource;
  const problems = [
    {
      isPresent: hasOldCatalogue,
      since: catalogueAsOf,
      reason: `The catalogue could not be read since ${new Date(catalogueAsOf).toISOString()}: prices are current, but questions, volumes and the list of markets are of that time.`,
    },
    {
      isPresent: hasFallbacks,
      since: fallbackSince ?? now,
      reason: `The order books of ${carried + catalogue} markets could not be read: their prices are up to ten minutes old, as \`pricedAt\` and \`priceSource\` show.`,
    },
  ].filter(({ isPresent }) => isPresent);
  return {
    since: Math.min(...problems.map(({ since }) => since)),
    reason: problems.map(({ reason }) => reason).join(' '),
  };
}
