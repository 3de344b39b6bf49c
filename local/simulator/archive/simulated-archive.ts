/**
 * An archive of simulated days (`npm run archive -- --simulate 14d`): the files of
 * docs/archive.md without waiting for days.
 */
import { ARCHIVE_MINUTE, VERSION } from '../../../lambda/core/contract/constants.ts';
import { paddedConditionId } from '../../../lambda/core/domain/ids.ts';
import type { Market } from '../../../lambda/core/domain/market.ts';
import {
  EMPTY_COUNTS,
  type SnapshotInfo,
  snapshotId,
} from '../../../lambda/core/domain/snapshot.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type UnixMs,
} from '../../../lambda/core/domain/time.ts';
import type { ArchiveStore } from '../../../lambda/io/archive/archive-store.ts';
import type { DatedRules } from '../../../lambda/io/polymarket/market-rules.ts';
import type { Resolution } from '../../../lambda/io/polymarket/resolutions.ts';
import type { Publication } from '../../../lambda/io/snapshots/published-snapshots.ts';
import { Archive, type DayResult } from '../../../lambda/jobs/archive/archive-job.ts';
import { type Day, dayOf } from '../../../lambda/jobs/archive/day.ts';
import { prepareState } from '../../../lambda/jobs/archive/job-state.ts';
import { PATIENCE_MS } from '../../../lambda/jobs/archive/outcomes.ts';
import { MAX_LISTED, SimulatedList } from './simulated-list.ts';
import { isFailedCall } from './simulated-price.ts';

interface SimulationOptions {
  /** The number of days, at least one. */
  readonly days: number;
  /** The last simulated day is the one that ended before this time. */
  readonly now: UnixMs;
  /** The commit that the manifests name. @default the version */
  readonly commit?: string;
  /** The time between two snapshots. @default one minute */
  readonly stepMs?: number;
  /**
   * How much closer to 50 % prices are, as a share.
   *
   * @default 0: a price is the chance of its payout
   */
  readonly bias?: number;
  /** Gets each day after the job has written it. */
  readonly report?: (day: Day, result: DayResult) => Promise<void>;
}

/** A part of one day. */
interface TimeRange {
  readonly from: UnixMs;
  readonly until: UnixMs;
}

/** The table publishes a snapshot this long after its prices were read. */
const PUBLISHED_AFTER_MS = 6 * SECOND_MS;
/** On one day, no snapshots exist between these hours (UTC), so its manifest has a gap. */
const GAP_HOURS = { from: 9, until: 9.75 };
/** On another day, CLOB does not respond between these hours: prices are the catalogue's. */
const FALLBACK_HOURS = { from: 14, until: 17 };
/** The job begins this long after the end of a day. */
const JOB_DELAY_MS = ARCHIVE_MINUTE * MINUTE_MS;

/**
 * Writes an archive of simulated days into a store. The real archive job writes it, one day after
 * the other. It reads simulated snapshots, rules and resolutions instead of the table and upstream.
 *
 * @param store gets the files; nothing else is written
 */
export async function simulateArchive(
  store: ArchiveStore,
  options: SimulationOptions,
): Promise<void> {
  const { days, now, commit = VERSION, stepMs = MINUTE_MS, bias = 0, report } = options;
  const first = dayOf(now, -days);
  const list = new SimulatedList(first.start, dayOf(now).start, bias);
  await writeEarlierState(store, first, list.unresolved);
  let jobTime = first.start;
  const archive = new Archive({
    snapshots: new SimulatedSnapshots(list, first.start, { days, stepMs }),
    store,
    origin: { version: VERSION, commit, upstream: 'simulated', stage: 'local' },
    resolutions: { read: async (ids) => resolutionsOf(list, ids, jobTime) },
    rules: { read: async (ids) => rulesOf(list, ids, jobTime) },
    clock: { now: () => jobTime, after: () => () => undefined },
    logger: { info: () => undefined, warn: console.warn, error: console.error },
  });
  for (let n = 0; n < days; n++) {
    const day = dayOf(first.start, n);
    jobTime = day.end + JOB_DELAY_MS;
    const result = await archive.write(day);
    await report?.(day, result);
  }
  await archive.index();
}

/** The snapshots that the job reads, in place of those in the table. */
class SimulatedSnapshots {
  readonly #list: SimulatedList;
  readonly #start: UnixMs;
  readonly #stepMs: number;
  readonly #gap: TimeRange;
  readonly #fallback: TimeRange;

  constructor(
    list: SimulatedList,
    start: UnixMs,
    { days, stepMs }: Readonly<Record<'days' | 'stepMs', number>>,
  ) {
    this.#list = list;
    this.#start = start;
    this.#stepMs = stepMs;
    this.#gap = hoursOf(dayOf(start, Math.floor(days / 3)), GAP_HOURS);
    this.#fallback = hoursOf(dayOf(start, Math.floor((2 * days) / 3)), FALLBACK_HOURS);
  }

  /** The publications from one time to another, with one before them, as the table returns them. */
  async between(from: UnixMs, to: UnixMs): Promise<Publication[]> {
    const publications: Publication[] = [];
    for (let asOf = from - this.#stepMs; asOf <= to; asOf += this.#stepMs) {
      const exists = asOf >= this.#start && !isIn(asOf, this.#gap);
      if (exists) publications.push(publicationOf(asOf, this.#list.isCut(asOf)));
    }
    return publications;
  }

  async *read(snapshots: readonly Publication[]): AsyncGenerator<Market[]> {
    for (const { asOf } of snapshots) yield this.#list.at(asOf, isIn(asOf, this.#fallback));
  }
}

/**
 * Writes the state of a job that ran the day before. It follows markets that left the list a month
 * ago, so the archive gives up one of them on each of the first days.
 */
async function writeEarlierState(
  store: ArchiveStore,
  first: Day,
  unresolved: readonly string[],
): Promise<void> {
  const { date, start, end } = dayOf(first.start, -1);
  const markets = unresolved.map((id, n) => ({
    id,
    yes: 0,
    lastTime: end - PATIENCE_MS + n * DAY_MS,
    lastVolume: 0,
    leftReason: 'delisted' as const,
  }));
  const writtenAt = new Date(end + JOB_DELAY_MS).toISOString();
  const writeState = await prepareState(store, { date, writtenAt, lastSnapshot: start, markets });
  await writeState();
}

/** The time between two hours of a day. */
function hoursOf({ start }: Day, hours: Readonly<Record<'from' | 'until', number>>): TimeRange {
  return { from: start + hours.from * HOUR_MS, until: start + hours.until * HOUR_MS };
}

function isIn(time: UnixMs, { from, until }: TimeRange): boolean {
  return from <= time && time < until;
}

/** The publication of a simulated snapshot, as the table has it. */
function publicationOf(asOf: UnixMs, isCut: boolean): Publication {
  const failedCalls = isFailedCall(asOf) ? 1 : 0;
  const info = { ...simulatedInfo(asOf), maxMarkets: MAX_LISTED, isCut, failedCalls };
  return { id: info.id, asOf, publishedAt: asOf + PUBLISHED_AFTER_MS, info };
}

/** The information of a simulated snapshot. Its counts are 0, because the archive ignores them. */
export function simulatedInfo(asOf: UnixMs): SnapshotInfo {
  const catalogueAsOf = asOf - (asOf % (2 * MINUTE_MS));
  return {
    id: snapshotId(asOf, () => 0),
    asOf,
    readUntil: asOf + 4 * SECOND_MS,
    catalogueAsOf,
    cataloguePricesAsOf: catalogueAsOf,
    failedCalls: 0,
    markets: 0,
    maxMarkets: 2_000,
    isCut: false,
    counts: EMPTY_COUNTS,
  };
}

/** The resolutions by padded id. A market that is not resolved at this time has none. */
function resolutionsOf(
  list: SimulatedList,
  ids: readonly string[],
  now: UnixMs,
): Map<string, Resolution> {
  const resolutions = new Map<string, Resolution>();
  for (const id of ids) {
    const resolution = list.resolution(id, now);
    if (resolution) resolutions.set(paddedConditionId(id), resolution);
  }
  return resolutions;
}

/** The rules by padded id. */
function rulesOf(
  list: SimulatedList,
  ids: readonly string[],
  now: UnixMs,
): Map<string, DatedRules> {
  const rulesById = new Map<string, DatedRules>();
  for (const id of ids) {
    const rules = list.rules(id);
    if (rules) rulesById.set(paddedConditionId(id), { ...rules, readAt: now });
  }
  return rulesById;
}
