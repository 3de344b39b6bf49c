import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';
import {
  SnapshotCache,
  type SnapshotCacheOptions,
} from '../../lambda/io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../lambda/io/snapshots/snapshot-reader.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import type { HttpCall, HttpReply } from '../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';
import { perUpstream, type UpstreamName } from '../../lambda/io/upstream/upstreams.ts';
import type { RunKind } from '../../lambda/jobs/refresh/refresh.ts';
import { Dice } from '../support/dice.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { Container, type Published, SILENT } from './container.ts';
import type { Fault } from './faults.ts';
import { Polymarket } from './polymarket.ts';
import { type Hole, type MarketLife, TrueMarket } from './truth.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-21T12:00:00Z');
/** Polymarket is older than the service, and its history longer than the longest change. */
const PAST_MS = 40 * 24 * 60 * MINUTE;
/** From then on, the truth changes in short steps. */
const NEAR_PAST_MS = 4 * 60 * MINUTE;
/** EventBridge starts a run within its minute, sometimes later, twice or never. */
const UNPUNCTUAL = { late: 0.2, twice: 0.1, never: 0.05 } as const;
const MAX_LATE_MS = 75_000;
export const MAX_SKEW_MS = 2_000;

export interface WorldOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly markets: number;
  /** Markets in the list. */
  readonly maxMarkets: number;
  /** Share of the books that are not tight. */
  readonly loose: number;
  /** Between two runs. @default 1 */
  readonly stepMinutes?: number;
  /** Runs come late, twice or not at all, and clocks differ. @default by the schedule */
  readonly isUnpunctual?: boolean;
  /** @default START */
  readonly start?: number;
  /** Changes each market. */
  readonly life?: (number: number) => Partial<MarketLife>;
  /** Adds faults before the first minute. @default none */
  readonly plan?: (world: World) => void;
}

/**
 * The service in virtual time: its real modules, a simulated Polymarket and a table in memory. For
 * example, half an hour in which `/prices` hangs from the fifth minute to the eighth:
 *
 *     const plan = ({ polymarket, start }: World) => {
 *       const [from, until] = [start + 5 * MINUTE, start + 8 * MINUTE];
 *       polymarket.faults.push({ route: 'prices', kind: 'hang', share: 1, from, until });
 *     };
 *     const size = { markets: 250, maxMarkets: 150, loose: 0.4 };
 *     const world = new World({ seed: 1, minutes: 30, ...size, plan });
 *     const invariants = new Invariants(world);
 *     await world.run(() => invariants.check());
 *     expect(invariants.violations).toEqual([]);
 */
export class World {
  readonly clock: ManualClock;
  readonly dice: Dice;
  readonly polymarket: Polymarket;
  readonly table = new MemoryTable();
  readonly published: Published[] = [];
  /** What callers got: the time of the snapshot, or undefined for an error. */
  readonly served: { readonly at: number; readonly asOf: number | undefined }[] = [];
  readonly start: number;
  readonly options: WorldOptions;
  /** Each container's clock is at most this wrong. */
  readonly maxSkewMs: number;
  /** Probability that a run is killed, and that a call of the table fails. */
  killRate = 0;
  tableFaultRate = 0;
  readonly #containers = new Map<RunKind, Container>();

  constructor(options: WorldOptions) {
    const { seed, minutes, markets, loose } = options;
    const start = options.start ?? START;
    this.options = options;
    this.start = start;
    this.clock = new ManualClock(start);
    this.maxSkewMs = options.isUnpunctual ? MAX_SKEW_MS : 0;
    this.dice = new Dice(seed);
    const sometime = () => start + Math.round(this.dice.between(0, minutes) * MINUTE);
    const lives = Array.from({ length: markets }, (_, number) => ({
      number,
      seed,
      loose,
      start: start - PAST_MS,
      pastUntil: start - NEAR_PAST_MS,
      holes: this.dice.chance(0.3) ? holesBefore(start, this.dice) : [],
      opensAt: this.dice.chance(0.05) ? sometime() : Number.NEGATIVE_INFINITY,
      closesAt: this.dice.chance(0.05) ? sometime() : Number.POSITIVE_INFINITY,
      ...options.life?.(number),
    }));
    this.polymarket = new Polymarket(
      this.clock,
      this.dice,
      lives.map((life) => new TrueMarket(life)),
    );
    options.plan?.(this);
  }

  /** Runs the service. @param onMinute is called after each minute or step */
  async run(onMinute: () => void = () => undefined): Promise<void> {
    const { minutes, stepMinutes = 1 } = this.options;
    const reader = this.reader();
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      this.#schedule(minute % 2 === 0 ? 'full' : 'prices');
      for (let probe = 0; probe < 6; probe++) {
        await this.clock.advance((stepMinutes * MINUTE) / 6);
        const at = this.clock.now();
        const note = (asOf: number | undefined) => void this.served.push({ at, asOf });
        void reader.latest().then(
          ({ info }) => note(info.asOf),
          () => note(undefined),
        );
      }
      onMinute();
    }
  }

  /** Faults of upstream that overlap a span. */
  faultsIn(from: number, until: number): readonly Fault[] {
    return this.polymarket.faults.filter((fault) => fault.from < until && fault.until > from);
  }

  /** Whether this world kills no run, and its table never fails. */
  get isSteady(): boolean {
    return this.killRate === 0 && this.tableFaultRate === 0;
  }

  #schedule(kind: RunKind): void {
    const { dice } = this;
    if (!this.options.isUnpunctual) {
      this.#run(kind);
      return;
    }
    if (dice.chance(UNPUNCTUAL.never)) return;
    const late = dice.chance(UNPUNCTUAL.late) ? Math.round(dice.between(0, MAX_LATE_MS)) : 0;
    this.clock.after(late, () => this.#run(kind));
    if (dice.chance(UNPUNCTUAL.twice)) {
      this.clock.after(late + Math.round(dice.between(0, 3_000)), () => this.#run(kind));
    }
  }

  /**
   * In the container of this kind, as in Lambda: a busy, dead or replaced one gives way to a new
   * one.
   */
  #run(kind: RunKind): void {
    const warm = this.#containers.get(kind);
    const container = warm && !warm.isBusy && !this.dice.chance(0.03) ? warm : new Container(this);
    this.#containers.set(kind, container);
    void container.run(kind);
    if (!this.dice.chance(this.killRate)) return;
    const after = Math.round(this.dice.between(0, this.dice.chance(0.7) ? 6_000 : 60_000));
    this.clock.after(after, () => {
      container.isDead = true;
      if (this.#containers.get(kind) === container) this.#containers.delete(kind);
    });
  }

  /** A container that serves requests. */
  reader(memory: Pick<SnapshotCacheOptions, 'searchIndex' | 'olderCacheSize'> = {}): SnapshotCache {
    const reader = new SnapshotReader({ client: this.table.client, table: 'snapshots' });
    return new SnapshotCache({ reader, clock: this.clock, logger: SILENT, ...memory });
  }

  upstreams(clock: Clock = this.clock): Readonly<Record<UpstreamName, Upstream>> {
    const { random } = this.dice;
    const call = (_clock: Clock, request: HttpCall) => this.#call(clock, request);
    return perUpstream(
      (name) => new Upstream(name, { baseUrl: `https://${name}.test`, clock, random, call }),
    );
  }

  async #call(clock: Clock, { route, url, body, timeoutMs }: HttpCall): Promise<HttpReply> {
    const {
      ms,
      status,
      retryAfterMs,
      body: make,
      failure,
      ageMs = 0,
    } = this.polymarket.answer(route, url, body);
    await sleep(clock, Math.min(ms, timeoutMs));
    if (ms > timeoutMs) throw new UpstreamError({ route, failure: 'timeout' });
    if (failure) throw new UpstreamError({ route, failure });
    if (status !== undefined)
      throw new UpstreamError({ route, failure: 'status', status, excerpt: '', retryAfterMs });
    return { body: make(), cachedMs: ageMs };
  }
}

/** One hole of an hour to six days around the start of each change, some of them at once. */
function holesBefore(start: number, dice: Dice): Hole[] {
  return [1, 7, 30].map((days) => {
    const length = dice.pick([1, 3, 8, 24, 144] as const) * 60 * MINUTE;
    const from = start - days * 24 * 60 * MINUTE - dice.between(-0.1, 1) * length;
    return { from: Math.round(from), until: Math.min(Math.round(from + length), start) };
  });
}
