import type { PricePoint } from '../../lambda/core/domain/change.ts';
import { WHOLE_LIFE } from '../../lambda/core/domain/history-plan.ts';
import { HOUR_MS, toUnixSeconds, type UnixMs } from '../../lambda/core/domain/time.ts';
import { type ArchiveStore, encodeJson, readJson } from '../../lambda/io/archive/archive-store.ts';
import { dataSource } from '../../lambda/io/polymarket/history-sources.ts';
import { type ListOptions, type PastMarket, patience, reasonOf } from './past-list.ts';

/** Of `WHOLE_LIFE`. */
const BUCKET_MS = 3 * HOUR_MS;

/** The prices of a market, or why there are none. */
export interface PastHistory {
  /** The start of the run that read it. */
  readonly asOf: UnixMs;
  /** The market is resolved, so later runs need not read it again. */
  readonly isFinal: boolean;
  readonly points: readonly PricePoint[];
  readonly failure?: string;
}

interface HistoryOptions extends Pick<ListOptions, 'data' | 'clock'> {
  readonly state: ArchiveStore;
}

/**
 * Reads the history of a market, unless this run or an earlier one has stored it. Each history has
 * its own file, so a killed run loses only the calls under way.
 *
 * @throws UpstreamError if upstream rejects this caller
 */
export async function readHistory(
  { data, clock, state }: HistoryOptions,
  asOf: UnixMs,
  { market, isListed, payout }: PastMarket,
): Promise<PastHistory> {
  const token = market.clobTokenId;
  const path = `histories/${token}.json`;
  const stored = await readJson<PastHistory>(state, path);
  if (stored?.isFinal || stored?.asOf === asOf) return stored;
  const read = await dataSource(data, clock.now)
    .read([token], WHOLE_LIFE, patience(clock))
    .catch(reasonOf);
  const failure = typeof read === 'string' ? { failure: read } : {};
  const all = typeof read === 'string' ? [] : (read.get(token) ?? []);
  // The last buckets of an open market can still change.
  const until = isListed ? toUnixSeconds(asOf - BUCKET_MS) : Number.POSITIVE_INFINITY;
  const points = all.filter((point) => !point.payout && point.t <= until);
  const isFinal = payout !== undefined && points.length > 0;
  const history = { asOf, isFinal, points, ...failure };
  await state.write(path, encodeJson(history, 0));
  return history;
}
