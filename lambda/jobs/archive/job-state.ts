/**
 * The state that one job of the archive passes on to the next: the markets whose outcomes are not
 * known yet.
 */
import { readInstant } from '../../core/domain/moment.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import { type ArchiveStore, encodeJsonLine, readJson } from '../../io/archive/archive-store.ts';
import type { DayRows, MarketRows } from './day-rows.ts';
import { readManifest } from './manifest.ts';
import type { FollowedMarket } from './outcomes.ts';

/** What one job passes on to the next. */
export interface JobState {
  /** The day that was archived last, and its `writtenAt`. */
  readonly date: string;
  readonly writtenAt: string;
  /** The newest snapshot in the archive. */
  readonly lastSnapshot: UnixMs;
  readonly markets: readonly FollowedMarket[];
}

const STATE = 'state.json';
/**
 * The state of a day whose manifest (the file that makes a day complete) may not exist yet. It
 * counts once the manifest exists. So no market is lost if the job ends between the writes of
 * manifest and `state.json`.
 */
const NEXT_STATE = 'state.next.json';

/** The state of the last job that wrote a manifest; undefined before the first. */
export async function readState(store: ArchiveStore): Promise<JobState | undefined> {
  const next = await readJson<JobState>(store, NEXT_STATE);
  const manifest = next && (await readManifest(store, next.date));
  const isComplete = manifest && manifest.writtenAt === next.writtenAt;
  return isComplete ? next : await readJson(store, STATE);
}

/**
 * Stores a state that counts once its day has a manifest. Call this before the manifest is written.
 *
 * @returns a function that writes the state, to call after the manifest
 */
export async function prepareState(
  store: ArchiveStore,
  state: JobState,
): Promise<() => Promise<void>> {
  const bytes = encodeJsonLine(state);
  await store.write(NEXT_STATE, bytes);
  return () => store.write(STATE, bytes);
}

/**
 * Adds the markets of a day to those that the archive follows, and says why others have left the
 * list. The day may be older than those that are already archived: then it only adds markets.
 *
 * @param rows the markets in the snapshots of the day
 */
export function followDay(
  rows: DayRows,
  before: JobState | undefined,
): Pick<JobState, 'lastSnapshot' | 'markets'> {
  const newestBefore = before?.lastSnapshot ?? 0;
  const lastSnapshot = Math.max(newestBefore, rows.snapshots.at(-1)?.time ?? 0);
  const isNewestDay = lastSnapshot > newestBefore;
  const followed = new Map<string, FollowedMarket>();
  for (const market of before?.markets ?? []) {
    const wasListed = market.lastTime === newestBefore;
    // Then it left the list before the first snapshot of the day.
    const hasLeft = isNewestDay && wasListed && !rows.markets.has(market.id);
    const reason = hasLeft ? { leftReason: rows.leftBefore(market.lastVolume) } : {};
    followed.set(market.id, { ...market, ...reason });
  }
  for (const rowsOfMarket of rows.markets.values()) {
    const market = followedMarket(rows, rowsOfMarket);
    const earlier = followed.get(market.id);
    if (!earlier || earlier.lastTime < market.lastTime) followed.set(market.id, market);
  }
  return { lastSnapshot, markets: [...followed.values()] };
}

/** A market of a day as the next jobs follow it. */
function followedMarket(rows: DayRows, rowsOfMarket: MarketRows): FollowedMarket {
  const { id, endDate, outcomes, clobTokenId } = rowsOfMarket.market;
  return {
    id,
    yes: outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId),
    lastTime: rows.spanOf(rowsOfMarket).last,
    lastVolume: rowsOfMarket.lastVolume,
    ...fieldIf('endDate', readInstant(endDate)),
    ...fieldIf('leftReason', rows.leftReasonOf(rowsOfMarket)),
  };
}
