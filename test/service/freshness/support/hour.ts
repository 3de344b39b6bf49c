import { FRESH_SECONDS } from '../../../../lambda/contract/constants.ts';
import type { RunKind } from '../../../../lambda/contract/run-kind.ts';
import { scheduledRun } from '../../../../lambda/refresh/scheduled-run.ts';
import { Dice } from '../../../support/dice.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { findings } from './findings.ts';
import { MemoryStore } from './memory-store.ts';
import { Reader, type Reading } from './reader.ts';
import { type HourContext, SIMULATED_MARKETS, slowUpstreams } from './slow-upstreams.ts';
import { type Episode, isActive } from './troubles.ts';

/** Of the full runs. */
export const INTERVAL_MS = 120_000;
/** Of runs of either kind. */
const PRICES_MS = INTERVAL_MS / 2;
/** The function's timeout less what it keeps for its closing lines (lib/data/refresher.ts, reported-refresh.ts). */
const RUN_MS = 117_000;
const RULE = { freshSeconds: FRESH_SECONDS, staleIfErrorSeconds: 0 };

const MINUTE_MS = 60_000;
/** How late the scheduler and a cold start begin a run. */
const LATE_MS: readonly [number, number] = [0, 10_000];
const LATE_IN_TROUBLE_MS: readonly [number, number] = [10_000, 58_000];
/** Deliveries that come a second time, up to so much later. */
const DUPLICATED_SHARE = 0.1;
const DUPLICATE_LATE_MS: readonly [number, number] = [0, 60_000];
const READERS = 5;
const PAUSE_MS: readonly [number, number] = [500, 8_000];

export interface HourOptions {
  readonly seed: number;
  /** @default 60 */
  readonly minutes?: number;
  readonly episodes?: (dice: Dice, from: number, until: number) => readonly Episode[];
}

export interface RunOutcome {
  readonly outcome: 'published' | 'superseded' | 'shrunk' | 'failed';
  readonly publishMs: number;
}

/** What came of an hour, or so, of runs and readers under a simulated clock. */
export interface Hour {
  readonly readings: readonly Reading[];
  readonly runs: readonly RunOutcome[];
  readonly killed: number;
  readonly episodes: readonly Episode[];
  /** What was not as promised, in plain text. */
  readonly findings: readonly string[];
  /** The first moment a run was due. */
  readonly startedAt: number;
}

export async function simulateHour(options: HourOptions): Promise<Hour> {
  const { seed, minutes = 60, episodes } = options;
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const startedAt = clock.now();
  const endsAt = startedAt + minutes * MINUTE_MS;
  const planned = episodes?.(dice, startedAt, endsAt) ?? [];
  const context: HourContext = {
    clock,
    dice,
    troubled: (trouble) => isActive(planned, trouble, clock.now()),
  };
  const store = new MemoryStore(context);
  const runs: RunOutcome[] = [];
  const { catalogue, prices } = slowUpstreams(context);

  const run = async (kind: RunKind): Promise<void> => {
    const end = clock.now() + RUN_MS;
    const publisher = store.publisher;
    const shared = {
      catalogue,
      prices,
      publisher,
      clock,
      random: dice.random,
      maxMarkets: SIMULATED_MARKETS,
    };
    for (const ended of Object.values(await scheduledRun(kind, shared, end))) {
      if ('result' in ended) {
        const { outcome, publishMs } = ended.result;
        runs.push({ outcome, publishMs });
      } else runs.push({ outcome: 'failed', publishMs: 0 });
    }
  };

  for (let due = startedAt, n = 0; due < endsAt; due += PRICES_MS, n++) {
    const kind = n % 2 === 0 ? 'full' : 'prices';
    if (isActive(planned, 'schedule stands still', due)) continue;
    const late = isActive(planned, 'schedule late by up to a minute', due) ? LATE_IN_TROUBLE_MS : LATE_MS;
    const deliver = (ms: number) => clock.after(due - startedAt + ms, () => void run(kind));
    deliver(dice.between(...late));
    if (dice.chance(DUPLICATED_SHARE)) deliver(dice.between(...DUPLICATE_LATE_MS));
  }

  const readings: Reading[] = [];
  const found: string[] = [];
  const read = async (reader: Reader): Promise<void> => {
    const reading = await reader.ask(Math.floor(dice.between(0, SIMULATED_MARKETS)));
    readings.push(reading);
    for (const finding of findings(reading, store)) found.push(`${clock.now() - startedAt} ms: ${finding}`);
    clock.after(dice.between(...PAUSE_MS), () => void read(reader));
  };
  for (let n = 0; n < READERS; n++) void read(new Reader(clock, store, RULE, INTERVAL_MS / 1_000));

  await clock.advance(endsAt - startedAt);
  return { readings, runs, killed: store.killed, episodes: planned, findings: found, startedAt };
}
