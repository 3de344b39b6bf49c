import type { FreshnessRule } from '../domain/freshness.ts';
import { systemClock } from '../platform/clock.ts';
import type { DynamoDb } from '../platform/dynamodb/client.ts';
import type { Log } from '../platform/log.ts';
import { Pace } from '../platform/pace.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import type { DecodedSnapshot } from './codec.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** A table that is down fails every request: one line in so many milliseconds says it as well. */
const PROBLEM_EVERY_MS = 10_000;

interface ReaderSettings {
  readonly SNAPSHOT_TABLE: string;
  readonly FRESH_SECONDS: number;
  readonly STALE_IF_ERROR_SECONDS: number;
}

export function freshnessRule(settings: ReaderSettings): FreshnessRule {
  return { freshSeconds: settings.FRESH_SECONDS, staleIfErrorSeconds: settings.STALE_IF_ERROR_SECONDS };
}

/** What the handlers that respond from a snapshot have in common. */
export function snapshotCache<V>(options: {
  readonly settings: ReaderSettings;
  readonly client: DynamoDb;
  readonly logger: Log;
  readonly metrics: ServiceMetrics;
  readonly view: (decoded: DecodedSnapshot) => V;
  readonly olderHeld?: number;
  /** Whether the function searches. @default false */
  readonly withTerms?: boolean;
}): { cache: SnapshotCache<V>; rule: FreshnessRule } {
  const { settings, client, logger, metrics, withTerms = false, ...rest } = options;
  const rule = freshnessRule(settings);
  const { now } = systemClock;
  const source = new SnapshotReader({ client, table: settings.SNAPSHOT_TABLE, now, withTerms });
  const pace = new Pace(systemClock, PROBLEM_EVERY_MS);
  const onProblem = (message: string, error: unknown) => {
    if (pace.isDue(message)) logger.warn(message, { error: error as Error });
    metrics.add('SnapshotLoadFailed', 1);
    metrics.flush();
  };
  return { cache: new SnapshotCache({ ...rest, source, clock: systemClock, rule, onProblem }), rule };
}
