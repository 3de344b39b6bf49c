import { FaultBench } from './bench.ts';
import { cataloguePrices } from './catalogue-prices.ts';
import type { FaultCase } from './fault-case.ts';
import { type Healthy, heal, type Observed, playCase, seed } from './play-case.ts';

/** What there is to hold against a row. */
export interface Result {
  readonly row: FaultCase;
  readonly observed: Observed;
  /** The snapshots without faults before and after it. */
  readonly before: Healthy;
  readonly after: Healthy;
  readonly cataloguePrices: ReadonlyMap<string, number>;
}

/** Services that play cases at the same time: most of a case is waiting. */
const LANES = 3;

/** Plays cases, each on a service of its own for as long as it takes. */
export class FaultLanes {
  readonly #benches: readonly FaultBench[];
  readonly #results: ReadonlyMap<FaultCase, PromiseWithResolvers<Result>>;
  readonly #ended: Promise<unknown>;

  private constructor(benches: readonly FaultBench[], rows: readonly FaultCase[]) {
    this.#benches = benches;
    this.#results = new Map(rows.map((row) => [row, Promise.withResolvers<Result>()]));
    for (const { promise } of this.#results.values()) promise.catch(() => undefined); // the test of its row meets it
    const lane = (n: number) => rows.filter((_, row) => row % LANES === n);
    this.#ended = Promise.all(benches.map((bench, n) => this.#play(bench, lane(n))));
  }

  static async start(rows: readonly FaultCase[]): Promise<FaultLanes> {
    const benches = await Promise.all(Array.from({ length: LANES }, () => FaultBench.start()));
    return new FaultLanes(benches, rows);
  }

  /** Resolves when the case has been played. */
  result(row: FaultCase): Promise<Result> {
    const result = this.#results.get(row);
    if (!result) throw new Error(`Not among the cases: ${row.fault}`);
    return result.promise;
  }

  async close(): Promise<void> {
    await this.#ended;
    await Promise.all(this.#benches.map((bench) => bench.close()));
  }

  /** In turn; each case begins where the one before has healed. Never rejects: a case that cannot be played does. */
  async #play(bench: FaultBench, rows: readonly FaultCase[]): Promise<void> {
    let before: Healthy | undefined;
    let prices: ReadonlyMap<string, number> | undefined;
    bench.freezeUpstream();
    for (const row of rows) {
      const result = this.#results.get(row);
      try {
        before ??= await seed(bench);
        prices ??= await cataloguePrices(bench.service.upstream.url);
        const observed = await playCase(bench, row);
        const after = await heal(bench, row.healsAtOnce);
        result?.resolve({ row, observed, before, after, cataloguePrices: prices });
        before = after;
      } catch (error) {
        result?.reject(error);
      }
    }
  }
}
