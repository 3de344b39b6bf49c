import { BandPlan } from '../../lambda/app/refresh/bands.ts';
import { type RefreshDependencies, type RunKind, runRefresh } from '../../lambda/app/refresh/refresh.ts';
import { RejectedTokens } from '../../lambda/app/refresh/rejected-tokens.ts';
import { StartPrices } from '../../lambda/app/refresh/start-prices.ts';
import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';
import { ClobPrices } from '../../lambda/io/polymarket/clob-prices.ts';
import { GammaCatalogue } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import { PriceHistories } from '../../lambda/io/polymarket/price-histories.ts';
import { SnapshotCache } from '../../lambda/io/snapshots/snapshot-cache.ts';
import { SnapshotReader } from '../../lambda/io/snapshots/snapshot-reader.ts';
import type { SnapshotDraft } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { SnapshotWriter } from '../../lambda/io/snapshots/snapshot-writer.ts';
import { StoredPrices } from '../../lambda/io/snapshots/stored-prices.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import type { HttpCall, HttpReply } from '../../lambda/io/upstream/http-call.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';
import { perUpstream } from '../../lambda/io/upstream/upstreams.ts';
import { Dice } from '../support/dice.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Interfere, MemoryTable } from '../support/memory-table.ts';
import { FAULT_KINDS, FAULTY_ROUTES, LIES, Polymarket } from './polymarket.ts';
import { type MarketLife, TrueMarket } from './truth.ts';

export const MINUTE = 60_000;
export const START = Date.parse('2026-11-21T12:00:00Z');
/** Polymarket is older than the service. */
const PAST_MS = 4 * 60 * MINUTE;
/** A run has less time in AWS than its function. */
const RUN_MS = 116_000;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

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
  /** Changes each market. */
  readonly life?: (number: number) => Partial<MarketLife>;
  /** Adds faults before the first minute. @default seeded faults, kills and a faulty table */
  readonly plan?: (world: World) => void;
}

/** What a run published. */
export interface Published {
  readonly at: number;
  readonly snapshot: SnapshotDraft;
}

/** The service in virtual time: its real modules, a simulated Polymarket and a table in memory. */
export class World {
  readonly clock = new ManualClock(START);
  readonly dice: Dice;
  readonly polymarket: Polymarket;
  readonly table = new MemoryTable();
  readonly published: Published[] = [];
  /** What callers got: the time of the snapshot, or undefined for an error. */
  readonly served: { readonly at: number; readonly asOf: number | undefined }[] = [];
  readonly start = START;
  readonly options: WorldOptions;
  /** Probability that a run is killed, and that a call of the table fails. */
  killRate = 0;
  tableFaultRate = 0;

  constructor(options: WorldOptions) {
    const { seed, minutes, markets, loose } = options;
    this.options = options;
    this.dice = new Dice(seed);
    const sometime = () => START + Math.round(this.dice.between(0, minutes) * MINUTE);
    const lives = Array.from({ length: markets }, (_, number) => ({
      number,
      seed,
      loose,
      start: START - PAST_MS,
      opensAt: this.dice.chance(0.05) ? sometime() : Number.NEGATIVE_INFINITY,
      closesAt: this.dice.chance(0.05) ? sometime() : Number.POSITIVE_INFINITY,
      ...options.life?.(number),
    }));
    this.polymarket = new Polymarket(
      this.clock,
      this.dice,
      lives.map((life) => new TrueMarket(life)),
    );
    (options.plan ?? planFaults)(this);
  }

  /** Runs the service. @param onMinute is called after each minute or step */
  async run(onMinute: () => void = () => undefined): Promise<void> {
    const { minutes, stepMinutes = 1 } = this.options;
    const containers: Container[] = [new Container(this), new Container(this)];
    const reader = this.#reader();
    for (let minute = 0; minute < minutes; minute += stepMinutes) {
      const kind = minute % 2 === 0 ? 'full' : 'prices';
      const slot = minute % 2;
      if (this.dice.chance(0.03)) containers[slot] = new Container(this);
      const container = containers[slot] ?? new Container(this);
      void this.#runIn(container, kind);
      if (this.dice.chance(this.killRate)) {
        const after = Math.round(this.dice.between(0, this.dice.chance(0.7) ? 6_000 : 60_000));
        this.clock.after(after, () => {
          container.isDead = true;
          containers[slot] = new Container(this);
        });
      }
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

  async #runIn(container: Container, kind: RunKind): Promise<void> {
    if (kind === 'prices') await sleep(container.clock, 2_000);
    await runRefresh(kind, container.dependencies, this.clock.now() + RUN_MS);
  }

  #reader(): SnapshotCache {
    const reader = new SnapshotReader({ client: this.table.client, table: 'snapshots', now: this.clock.now });
    return new SnapshotCache({ reader, clock: this.clock, logger: SILENT });
  }
}

/** A container of the refresher. After its death none of its timers and calls comes back. */
class Container {
  isDead = false;
  readonly clock: Clock;
  readonly dependencies: RefreshDependencies;

  constructor(world: World) {
    const { clock, dice } = world;
    this.clock = {
      now: clock.now,
      // Real clocks count whole milliseconds.
      after: (ms, callback) => clock.after(Math.ceil(ms), () => this.isDead || callback()),
    };
    const upstreams = perUpstream((name) => {
      const call = (_clock: Clock, request: HttpCall) => this.#call(world, request);
      return new Upstream(name, { baseUrl: `https://${name}.test`, clock: this.clock, random: dice.random, call });
    });
    const table = { client: world.table.clientWith(this.#interfere(world)), table: 'snapshots', clock: this.clock };
    const stored = new StoredPrices(table);
    const writer = new SnapshotWriter({ ...table, logger: SILENT, isArchived: false });
    const { gamma, clob, data } = upstreams;
    this.dependencies = {
      catalogue: new GammaCatalogue(gamma),
      bandPlan: new BandPlan(),
      maxMarkets: world.options.maxMarkets,
      prices: new ClobPrices(clob),
      rejectedTokens: new RejectedTokens(),
      histories: new PriceHistories({ clob, data, clock: this.clock }),
      startPrices: new StartPrices(stored, SILENT),
      clock: this.clock,
      random: dice.random,
      writer: {
        newest: (deadline) => writer.newest(deadline),
        recordShrunkRun: (info, deadline) => writer.recordShrunkRun(info, deadline),
        publish: async (snapshot, deadline) => {
          const result = await writer.publish(snapshot, deadline);
          if (result.outcome === 'published') world.published.push({ at: clock.now(), snapshot });
          return result;
        },
      },
    };
  }

  async #call({ polymarket }: World, { route, url, body, timeoutMs }: HttpCall): Promise<HttpReply> {
    const { ms, status, retryAfterMs, body: make, ageMs = 0 } = polymarket.answer(route, url, body);
    await sleep(this.clock, Math.min(ms, timeoutMs));
    if (ms > timeoutMs) throw new UpstreamError({ route, failure: 'timeout' });
    if (status !== undefined) throw new UpstreamError({ route, failure: 'status', status, excerpt: '', retryAfterMs });
    return { body: make(), cachedMs: ageMs };
  }

  /** Latency, and the faults of the table: throttled, written without a reply, slow or hanging. */
  #interfere({ clock, dice, tableFaultRate }: World): Interfere {
    return async (call, signal) => {
      const aborted = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      aborted.catch(() => undefined);
      const pause = (ms: number) =>
        Promise.race([new Promise<void>((resolve) => void clock.after(ms, resolve)), aborted]);
      const throttled = Object.assign(new Error('Throttled'), { name: 'ThrottlingException' });
      const fault = dice.chance(tableFaultRate) ? dice.pick(['before', 'after', 'slow', 'hang'] as const) : undefined;
      await pause(fault === 'slow' ? 3_000 : Math.round(dice.between(2, 15)));
      if (fault === 'hang') await aborted;
      if (fault === 'before') throw throttled;
      const result = this.isDead ? undefined : await call();
      if (this.isDead) return await new Promise(() => undefined);
      if (fault === 'after') throw throttled;
      return result;
    };
  }
}

/** One to three faults of upstream, rejected ids, kills and a faulty table, by the seed. */
function planFaults(world: World): void {
  const { dice, polymarket, start } = world;
  const { seed, minutes } = world.options;
  const count = 1 + Math.floor(dice.between(0, 3));
  for (let n = 0; n < count; n++) {
    const from = start + Math.round(dice.between(0.15, 0.75) * minutes * MINUTE);
    const until = from + Math.round(dice.between(0.2, 12) * MINUTE);
    const any = { route: dice.pick(FAULTY_ROUTES), kind: dice.pick(FAULT_KINDS) };
    const share = dice.pick([1, 1, 0.5, 0.2] as const);
    const lie = LIES[Math.floor(seed / 3) % LIES.length];
    polymarket.faults.push({ ...any, share, from, until, ...(n === 0 && lie) });
  }
  const rejected = seed % 3 === 1 ? 1 + Math.floor(dice.between(0, 8)) : 0;
  for (let n = 0; n < rejected; n++) {
    const market = polymarket.markets[Math.floor(dice.between(0, world.options.maxMarkets))];
    if (market) world.polymarket.rejected.add(market.yes);
  }
  world.killRate = seed % 3 === 0 ? 0.15 : 0;
  world.tableFaultRate = seed % 4 === 0 ? 0.03 : 0;
}
