/** Runs of two things side by side, so that whatever else the machine does happens to both. */

export interface Pair {
  readonly ours: (run: number) => unknown;
  readonly theirs: (run: number) => unknown;
  /** Each round runs both, one after the other, in turns. */
  readonly rounds: number;
  /** Runs of each in a round: as many as take some ms together. @default 1 */
  readonly batch?: number;
  /** `cpu`: of this thread, for work that waits for nothing; a busy machine does not spoil it. @default 'wall' */
  readonly clock?: 'wall' | 'cpu';
}

export interface Paired {
  /** Median ms of one run. */
  readonly ours: number;
  readonly theirs: number;
  /** Of the medians of a block of rounds: the median of all blocks' ratios `ours / theirs`. */
  readonly ratio: number;
  /** Interquartile range of the blocks' ratios, as a share of their median: how well the figure repeats itself. */
  readonly spread: number;
}

/** Rounds whose figures are thrown away: they warm up. */
const WARM_UP_SHARE = 0.15;
const BLOCKS = 8;

/** A sample of CPU time takes so long at least, ms: an idle kernel counts it in ticks of four. */
const CPU_SAMPLE_MS = 40;

export async function paired({
  ours,
  theirs,
  rounds,
  batch: least = 1,
  clock = 'wall',
}: Pair): Promise<Paired> {
  const times: [number[], number[]] = [[], []];
  const batch = clock === 'cpu' ? await batchFor([ours, theirs], least) : least;
  const warmUp = Math.ceil(rounds * WARM_UP_SHARE);
  const now = clock === 'cpu' ? cpuMs : () => performance.now();
  let run = 0;
  for (let round = -warmUp; round < rounds; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of order) {
      const work = side === 0 ? ours : theirs;
      const started = now();
      for (let n = 0; n < batch; n++) await work(run + n);
      if (round >= 0) times[side === 0 ? 0 : 1].push((now() - started) / batch);
    }
    run += batch;
  }
  return summary(...times);
}

/** Runs that take long enough to be told by the CPU clock, of the quicker of two works. */
async function batchFor(works: readonly Pair['ours'][], least: number): Promise<number> {
  let batch = least;
  for (const work of works) {
    for (let n = 0; n < least; n++) await work(n);
    const started = performance.now();
    for (let n = 0; n < least; n++) await work(least + n);
    const each = (performance.now() - started) / least;
    batch = Math.max(batch, Math.ceil(CPU_SAMPLE_MS / Math.max(each, 0.001)));
  }
  return batch;
}

/** Medians of what was measured round by round, and of the ratios of blocks of rounds. */
export function summary(ours: readonly number[], theirs: readonly number[]): Paired {
  const blocks = Math.min(BLOCKS, ours.length);
  const size = ours.length / blocks;
  const ratios = Array.from({ length: blocks }, (_, block) => {
    const [from, to] = [Math.round(block * size), Math.round((block + 1) * size)];
    return quantile(ours.slice(from, to), 0.5) / quantile(theirs.slice(from, to), 0.5);
  });
  const ratio = quantile(ratios, 0.5);
  return {
    ours: quantile(ours, 0.5),
    theirs: quantile(theirs, 0.5),
    ratio,
    spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / ratio,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** The same figures with the ratio turned round: how many times faster ours is. */
export function timesFaster(pair: Paired): Paired {
  return { ...pair, ratio: 1 / pair.ratio };
}

/** CPU time of this thread, ms. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
