// Runs the service in virtual time against a simulated Polymarket, whose true prices are known.

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
import { type Hole, type MarketLife, TrueMarket } from './true-market.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-21T12:00:00Z');
/** Polymarket is older than the service, and its history longer than the longest change. */
const PAST_MS = 40 * 24 * 60 * MINUTE;
/** In this time before the start, the truth already changes in short steps. */
const NEAR_PAST_MS = 4 * 60 * MINUTE;
/** The shares of the runs that EventBridge, the scheduler, starts late, twice or never. */
const UNPUNCTUAL = { late: 0.2, twice: 0.1, never: 0.05 } as const;
const MAX_LATE_MS = 75_000;
/** In an unpunctual world, the clock of each container is at most this wrong. */
export const MAX_SKEW_MS = 2_000;

export interface WorldOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Markets of the simulated Polymarket. */
  readonly markets: number;
  /** The service's setting: markets in its list. */
  readonly maxMarkets: number;
  /** About the share of the books that are not tight: they are wide, or lack a side or both. */
  readonly looseShare: number;
  /** Between two runs. @default 1 */
  readonly stepMinutes?: number;
  /** Runs come late, twice or not at all, and clocks differ. @default by the schedule */
  readonly isUnpunctual?: boolean;
  /** @default START */
  readonly start?: number;
  /** Replaces properties of a market. @param number its rank by volume, from 0 */
  readonly life?: (number: number) => Partial<MarketLife>;
  /** Adds faults before the first minute. @default none */
  readonly addFaults?: (world: World) => void;
}

/**
 * The service in virtual time: its real modules, a simulated Polymarket and a table in memory. For
 * example, half an hour in which `/prices` hangs from the fifth minute to the eighth:
 *
 *     const size = { markets: 250, maxMarkets: 150, looseShare: 0.4 };
 *     const world = new World({ seed: 1, minutes: 30, ...size });
 *     const [from, until] = [world.start + 5 * MINUTE, world.start + 8 * MINUTE];
 *     world.polymarket.faults.push({ route: 'prices', kind: 'hang', share: 1, from, until });
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
  /** MAX_SKEW_MS, or 0 in a punctual world. */
  readonly maxSkewMs: number;
  /** The probability that a run is killed. */
  killRate = 0;
  /** The probability that a call of the table has a fault. */
  tableFaultRate = 0;
  /** The newest container of each kind. */
  readonly #containers = new Map<RunKind, Container>();

  constructor(options: WorldOptions) {
    this.options = options;
    this.start = options.start ?? START;
    this.clock = new ManualClock(this.start);
    this.maxSkewMs = options.isUnpunctual ? MAX_SKEW_MS : 0;
    this.dice = new Dice(options.seed);
    const lives = Array.from({ length: options.markets }, (_, number) => this.#lifeOf(number));
    const markets = lives.map((life) => new TrueMarket(life));
    this.polymarket = new Polymarket(this.clock, this.dice, markets);
    options.addFaults?.(this);
  }

  /** A market. Some open or close while the world runs. */
  #lifeOf(number: number): MarketLife {
    const { start, dice } = this;
    const { seed, minutes, looseShare, life } = this.options;
    const sometime = () => start + Math.round(dice.between(0, minutes) * MINUTE);
    return {
      number,
      seed,
      looseShare,
      start: start - PAST_MS,
      pastUntil: start - NEAR_PAST_MS,
      holes: dice.chance(0.3) ? holesBefore(start, dice) : [],
      opensAt: dice.chance(0.05) ? sometime() : Number.NEGATIVE_INFINITY,
      closesAt: dice.chance(0.05) ? sometime() : Number.POSITIVE_INFINITY,
      ...life?.(number),
    };
  }

  /** Runs the service. @param onMinute is called after each minute or step */
  async run(onMinute: () => void): Promise<void> {
    const { minutes, stepMinutes = 1 } = this.options;
    const reader = this.reader();
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      this.#schedule(minute % 2 === 0 ? 'full' : 'prices');
      for (let call = 0; call < 6; call++) {
        await this.clock.advance((stepMinutes * MINUTE) / 6);
        this.#read(reader);
      }
      onMinute();
    }
  }

  /** A call for the list, whose result is added to `served`. */
  #read(reader: SnapshotCache): void {
    const at = this.clock.now();
    reader.latest().then(
      ({ info }) => this.served.push({ at, asOf: info.asOf }),
      () => this.served.push({ at, asOf: undefined }),
    );
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
      this.#startRun(kind);
      return;
    }
    if (dice.chance(UNPUNCTUAL.never)) return;
    const late = dice.chance(UNPUNCTUAL.late) ? Math.round(dice.between(0, MAX_LATE_MS)) : 0;
    this.clock.after(late, () => this.#startRun(kind));
    if (dice.chance(UNPUNCTUAL.twice)) {
      this.clock.after(late + Math.round(dice.between(0, 3_000)), () => this.#startRun(kind));
    }
  }

  /**
   * Starts a run in the container of this kind. As in Lambda, a new container takes the place of
   * one that is busy, dead or, now and then, replaced.
   */
  #startRun(kind: RunKind): void {
    const warm = this.#containers.get(kind);
    const isKept = warm && !warm.isBusy && !this.dice.chance(0.03);
    const container = isKept ? warm : new Container(this);
    this.#containers.set(kind, container);
    void container.run(kind);
    if (this.dice.chance(this.killRate)) this.#killLater(kind, container);
  }

  #killLater(kind: RunKind, container: Container): void {
    const maxMs = this.dice.chance(0.7) ? 6_000 : 60_000;
    this.clock.after(Math.round(this.dice.between(0, maxMs)), () => {
      container.isDead = true;
      if (this.#containers.get(kind) === container) this.#containers.delete(kind);
    });
  }

  /** A container that serves requests. */
  reader(memory: Pick<SnapshotCacheOptions, 'searchIndex' | 'olderCacheSize'> = {}): SnapshotCache {
    const reader = new SnapshotReader({ client: this.table.client, table: 'snapshots' });
    return new SnapshotCache({ reader, clock: this.clock, logger: SILENT, ...memory });
  }

  /** The clients of Polymarket's APIs, which call the simulated one. */
  upstreams(clock: Clock = this.clock): Readonly<Record<UpstreamName, Upstream>> {
    const { random } = this.dice;
    const call = (callersClock: Clock, request: HttpCall) => this.#call(callersClock, request);
    return perUpstream(
      (name) => new Upstream(name, { baseUrl: `https://${name}.test`, clock, random, call }),
    );
  }

  async #call(clock: Clock, { route, url, body, timeoutMs }: HttpCall): Promise<HttpReply> {
    const answer = this.polymarket.answer(route, url, body);
    const { ms, status, retryAfterMs, failure, ageMs = 0 } = answer;
    await sleep(clock, Math.min(ms, timeoutMs));
    if (ms > timeoutMs) throw new UpstreamError({ route, failure: 'timeout' });
    if (failure) throw new UpstreamError({ route, failure });
    if (status !== undefined)
      throw new UpstreamError({ route, failure: 'status', status, excerpt: '', retryAfterMs });
    return { body: answer.body(), cachedMs: ageMs };
  }
}

/** Three holes of an hour to six days, around the starts of the 1-, 7- and 30-day changes. */
function holesBefore(start: number, dice: Dice): Hole[] {
  return [1, 7, 30].map((days) => {
    const length = dice.pick([1, 3, 8, 24, 144] as const) * 60 * MINUTE;
    const from = start - days * 24 * 60 * MINUTE - dice.between(-0.1, 1) * length;
    return { from: Math.round(from), until: Math.min(Math.round(from + length), start) };
  });
}
