// A container in which the service's refresher runs, in virtual time and with a table in memory.

import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';
import { ClobPrices } from '../../lambda/io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { type SnapshotDraft, SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { StoredPrices } from '../../lambda/io/snapshots/stored-prices.ts';
import type { Upstream } from '../../lambda/io/upstream/client.ts';
import type { UpstreamName } from '../../lambda/io/upstream/upstreams.ts';
import { BandPlan } from '../../lambda/jobs/refresh/bands.ts';
import { type RunKind, runRefresh } from '../../lambda/jobs/refresh/refresh.ts';
import { RejectedTokens } from '../../lambda/jobs/refresh/rejected-tokens.ts';
import type { RefreshDependencies } from '../../lambda/jobs/refresh/run.ts';
import { StartPrices } from '../../lambda/jobs/refresh/start-prices.ts';
import { TIMEOUTS } from '../../lambda/jobs/refresh/timeouts.ts';
import type { Dice } from '../support/dice.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { Interfere, MemoryTable } from '../support/memory-table.ts';

export const SILENT = { info() {}, warn() {}, error() {} };
/** As in AWS: 120 s from one full run to the next, less a gap of 2 s and the time to close. */
const RUN_MS = 120_000 - 2_000 - TIMEOUTS.closingMs;

/** A snapshot that a run published, and when. */
export interface Published {
  readonly at: number;
  readonly snapshot: SnapshotDraft;
  /** The newest snapshot that the run read. With two runs at once, it is not the one before. */
  readonly readId: string | undefined;
  /** Runs of its container, with this one. */
  readonly containerRuns: number;
}

/** What a container uses of the simulated world, `World`. */
interface Surroundings {
  readonly clock: ManualClock;
  readonly dice: Dice;
  readonly table: MemoryTable;
  readonly options: { readonly maxMarkets: number };
  readonly published: Published[];
  readonly maxSkewMs: number;
  readonly tableFaultRate: number;
  upstreams(clock: Clock): Readonly<Record<UpstreamName, Upstream>>;
}

/**
 * A container of the refresher, as AWS Lambda runs it. After its death none of its timers and calls
 * comes back:
 *
 *     const container = new Container(world);
 *     void container.run('full');
 *     container.isDead = true; // kills the run
 */
export class Container {
  isDead = false;
  isBusy = false;
  #runs = 0;
  readonly #clock: Clock;
  readonly #dependencies: RefreshDependencies;

  constructor(world: Surroundings) {
    const { clock, dice, maxSkewMs } = world;
    const skewMs = maxSkewMs === 0 ? 0 : Math.round(dice.between(-maxSkewMs, maxSkewMs));
    this.#clock = {
      now: () => clock.now() + skewMs,
      // Real clocks count whole milliseconds.
      after: (ms, callback) => clock.after(Math.ceil(ms), () => this.isDead || callback()),
    };
    const client = world.table.clientWith(this.#withFaults(world));
    const table = { client, table: 'snapshots', clock: this.#clock };
    const { gamma, clob, data } = world.upstreams(this.#clock);
    this.#dependencies = {
      catalogue: new GammaCatalogue(gamma),
      bandPlan: new BandPlan(),
      maxMarkets: world.options.maxMarkets,
      upstream: 'gamma.test',
      prices: new ClobPrices(clob),
      rejectedTokens: new RejectedTokens(),
      histories: new PriceHistories({ clob, data, clock: this.#clock }),
      startPrices: new StartPrices(new StoredPrices(table), SILENT),
      clock: this.#clock,
      random: dice.random,
      writer: this.#recorded(
        new SnapshotWriter({ ...table, logger: SILENT, isArchived: false }),
        world,
      ),
    };
  }

  async run(kind: RunKind): Promise<void> {
    this.isBusy = true;
    this.#runs += 1;
    // As in the function's handler.
    if (kind === 'prices') await sleep(this.#clock, TIMEOUTS.priceRunDelayMs);
    await runRefresh(kind, this.#dependencies, this.#clock.now() + RUN_MS);
    this.isBusy = false;
  }

  /** The writer, which adds each published snapshot to those of the world. */
  #recorded(writer: SnapshotWriter, { clock, published }: Surroundings) {
    let readId: string | undefined;
    const recorded: RefreshDependencies['writer'] = {
      newest: async (deadline) => {
        const newest = await writer.newest(deadline);
        readId = newest?.info.id;
        return newest;
      },
      recordShrunkRun: (info, deadline) => writer.recordShrunkRun(info, deadline),
      publish: async (snapshot, deadline) => {
        const result = await writer.publish(snapshot, deadline);
        if (result.outcome === 'published')
          published.push({ at: clock.now(), snapshot, readId, containerRuns: this.#runs });
        return result;
      },
    };
    return recorded;
  }

  /** Each call of the table takes time, and some have a fault. */
  #withFaults({ clock, dice, tableFaultRate }: Surroundings): Interfere {
    return async (call, signal) => {
      const aborted = rejectionOf(signal);
      const fault = dice.chance(tableFaultRate)
        ? dice.pick(['throttled', 'reply lost', 'slow', 'hang'] as const)
        : undefined;
      const ms = fault === 'slow' ? 3_000 : Math.round(dice.between(2, 15));
      await Promise.race([sleep(clock, ms), aborted]);
      if (fault === 'hang') await aborted;
      if (fault === 'throttled') throw throttled();
      if (this.isDead) return await never();
      const result = await call();
      if (this.isDead) return await never();
      // The table has written.
      if (fault === 'reply lost') throw throttled();
      return result;
    };
  }
}

/** Rejects when the caller aborts its call. */
function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
  // Most calls end before, and then nothing handles the rejection.
  aborted.catch(() => undefined);
  return aborted;
}

function throttled(): Error {
  return Object.assign(new Error('Throttled'), { name: 'ThrottlingException' });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
