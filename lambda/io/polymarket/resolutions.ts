/** How markets were resolved (decided, and paid out), from Polymarket's Data API. */
import { paddedConditionId } from '../../core/domain/ids.ts';
import { readInstant } from '../../core/domain/moment.ts';
import { toUnixMs, type UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { asInstant, asList, asNumber, asObject, asText, asUnixSeconds } from './json-values.ts';

/** The route accepts this many conditions per call (docs/upstream.md). */
export const RESOLUTIONS_BATCH_CONDITIONS = 20;

/** How a market was resolved or is being resolved. */
export interface Resolution {
  /** As upstream writes it: `proposed`, `resolved`, … */
  readonly status: string;
  /**
   * What a share of each outcome pays in USD, 0 to 1, in upstream's order. Absent as long as
   * upstream has none.
   */
  readonly payouts?: readonly number[];
  readonly resolvedAt?: UnixMs;
}

/**
 * Whether upstream's status means that the market is resolved.
 *
 * @param status as upstream writes it, from any route
 */
export function isResolvedStatus(status: string | undefined): boolean {
  return status?.toLowerCase() === 'resolved';
}

/**
 * What a share of an outcome pays, 0 to 1; undefined while the market is not resolved.
 *
 * @param outcome its index in upstream's order
 */
export function payoutOf(resolution: Resolution | undefined, outcome: number): number | undefined {
  return isResolvedStatus(resolution?.status) ? resolution?.payouts?.[outcome] : undefined;
}

/** Reads resolutions from the Data API (docs/upstream.md). */
export class Resolutions {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * Makes one call to the Data API.
   *
   * @param conditionIds 1 to RESOLUTIONS_BATCH_CONDITIONS, in any form
   * @returns by padded condition id; only those with a resolution
   * @throws UpstreamError
   */
  read(
    conditionIds: readonly string[],
    limits: CallLimits,
  ): Promise<ReadonlyMap<string, Resolution>> {
    const conditions = conditionIds.map(paddedConditionId).join(',');
    return this.#upstream.request({
      route: 'v2-resolutions',
      path: `/v2/resolutions?condition=${conditions}`,
      parse: readResolutions,
      ...limits,
    });
  }
}

function readResolutions(body: unknown): ReadonlyMap<string, Resolution> | undefined {
  const rows = asObject(body)?.data;
  if (!Array.isArray(rows)) return undefined;
  const resolutions = new Map<string, Resolution>();
  for (const row of rows.map(asObject)) {
    const id = asText(row?.condition_id);
    const status = asText(row?.status);
    if (id === undefined || status === undefined) continue;
    resolutions.set(paddedConditionId(id), {
      status,
      ...fieldIf('payouts', readPayouts(row?.payouts)),
      ...fieldIf('resolvedAt', readTime(row?.resolved_at)),
    });
  }
  return resolutions;
}

/** Upstream writes payouts in millionths of a dollar. */
const PAYOUT_UNITS = 1_000_000;

/** The payouts in USD. @returns undefined unless there are at least two, and all are valid */
function readPayouts(value: unknown): readonly number[] | undefined {
  const payouts: number[] = [];
  for (const entry of asList(value) ?? []) {
    const units = asNumber(entry);
    if (units === undefined || units < 0 || units > PAYOUT_UNITS) return undefined;
    payouts.push(units / PAYOUT_UNITS);
  }
  return payouts.length > 1 ? payouts : undefined;
}

/** A time as RFC 3339 or Unix seconds: public clients of upstream read both. */
function readTime(value: unknown): UnixMs | undefined {
  const seconds = asUnixSeconds(value);
  return seconds === undefined ? readInstant(asInstant(value) ?? '') : toUnixMs(seconds);
}
