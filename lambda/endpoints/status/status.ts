/**
 * The endpoint of the service's state: how old and how complete the newest snapshot is (all listed
 * markets with their prices at one time), or why there is none.
 */
import { FRESH_SECONDS } from '../../core/contract/constants.ts';
import { NO_STORE } from '../../core/contract/headers.ts';
import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import { degradationOf } from '../../core/domain/degradation.ts';
import { countSkipped } from '../../core/domain/snapshot.ts';
import { ageSeconds, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { ok } from '../../http/response.ts';
import type { ParsedEnvironment } from '../../io/platform/environment.ts';
import type { LatestPointer } from '../../io/snapshots/latest-pointer.ts';
import { unreadableError } from '../../io/snapshots/snapshot-errors.ts';
import type { RefreshFailure, SnapshotManifest } from '../../io/snapshots/snapshot-manifest.ts';

/** Where the endpoint finds what the newest snapshot is, or why there is none. */
export type SnapshotStatusSource = Pick<LatestPointer, 'current' | 'lastFailure'>;

interface GetStatusDeps {
  readonly snapshots: SnapshotStatusSource;
  readonly settings: Pick<
    ParsedEnvironment<'get-status'>,
    'REFRESH_INTERVAL_SECONDS' | 'SERVICE_VERSION' | 'SIMULATED'
  >;
  readonly now: () => UnixMs;
}

/**
 * `GET /api/status`: 200 in every state, so that callers can read it. If the table cannot be read,
 * 502 `snapshot_missing`.
 */
export function getStatus({ snapshots, settings, now }: GetStatusDeps): Endpoint<'get-status'> {
  return async () => {
    const { manifest, failure } = await readState(snapshots);
    const age = manifest && ageSeconds(manifest.asOf, now());
    const isFresh = age !== undefined && age <= FRESH_SECONDS;
    const runIntervalMs = settings.REFRESH_INTERVAL_SECONDS * SECOND_MS;
    // Whether a fresh snapshot is worse than it should be. The state of an old one is `stale` anyway.
    const degradation =
      manifest && isFresh ? degradationOf(manifest, now(), runIntervalMs) : undefined;
    const reason = manifest ? degradation?.reason : reasonOf(failure);
    const status: FromSchemaNamed<'Status'> = {
      status: manifest ? stateOf(isFresh, degradation) : 'empty',
      ...detailsOf(manifest),
      ageSeconds: roundedAge(age),
      freshForSeconds: FRESH_SECONDS,
      refreshIntervalSeconds: settings.REFRESH_INTERVAL_SECONDS,
      version: settings.SERVICE_VERSION,
      simulated: settings.SIMULATED,
      degradedSince: isoTime(degradation?.since),
      ...fieldIf('reason', reason),
    };
    return ok(JSON.stringify(status), { 'Cache-Control': NO_STORE });
  };
}

/** The manifest of the newest snapshot; without one, the last failed run. */
async function readState(snapshots: SnapshotStatusSource) {
  try {
    const manifest = await snapshots.current();
    return { manifest, failure: manifest ? undefined : await snapshots.lastFailure() };
  } catch (cause) {
    throw unreadableError(cause);
  }
}

/** The state of a service that has a snapshot. */
function stateOf(isFresh: boolean, degradation: unknown): FromSchemaNamed<'Status'>['status'] {
  if (!isFresh) return 'stale';
  return degradation ? 'degraded' : 'ok';
}

/** In seconds, with one decimal. A snapshot from the future has no age. */
function roundedAge(age: number | undefined): number | null {
  if (age === undefined || !Number.isFinite(age)) return null;
  return Math.round(age * 10) / 10;
}

/** The fields that describe the snapshot; `null` without one. */
function detailsOf(manifest: SnapshotManifest | undefined) {
  return {
    asOf: isoTime(manifest?.asOf),
    catalogueAsOf: isoTime(manifest?.cataloguePricesAsOf),
    markets: manifest?.markets ?? null,
    marketsWithOneDayChange: manifest?.counts.withOneDayChange ?? null,
    marketsWithSevenDayChange: manifest?.counts.withSevenDayChange ?? null,
    marketsWithThirtyDayChange: manifest?.counts.withThirtyDayChange ?? null,
    marketsBySource: manifest ? { ...manifest.counts.bySource } : null,
    maxMarkets: manifest?.maxMarkets ?? null,
    isCut: manifest?.isCut ?? null,
    skipped: manifest ? countSkipped(manifest.counts.skippedByReason) : null,
    skippedByReason: manifest ? { ...manifest.counts.skippedByReason } : null,
    snapshot: manifest?.id ?? null,
    previousSnapshot: manifest?.previousId ?? null,
    memorySince: isoTime(manifest?.memorySince),
    unknownVersions: manifest ? [...manifest.counts.unknownVersions] : null,
  };
}

/** Why there is no snapshot. */
function reasonOf(failure: RefreshFailure | undefined): string {
  if (!failure) return 'The first refresh has not finished yet.';
  return `No refresh has succeeded since ${isoTime(failure.since)}. Report of ${isoTime(failure.at)}: ${failure.reason}`;
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
