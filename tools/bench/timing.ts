/** One measured value beside its target. */
export interface Result {
  readonly name: string;
  /** How the value was found, for example what a ratio compares. */
  readonly detail: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 's' | 'MB' | 'write units';
  /** The greatest value that meets the target. */
  readonly target: number;
}

/** Milliseconds of CPU time that a sample takes at least: the kernel may count CPU time in ticks of 4 ms. */
const MIN_SAMPLE_MS = 40;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** CPU time of this thread in ms. Other processes do not change it. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Mean CPU time of one call in ms. */
async function sampleMs(work: () => unknown): Promise<number> {
  const start = cpuMs();
  let calls = 0;
  for (; cpuMs() - start < MIN_SAMPLE_MS; calls += 1) await work();
  return (cpuMs() - start) / calls;
}

/** The median ratio of the CPU times of two works, in alternating samples. */
export async function cpuRatio(
  rounds: number,
  ours: () => unknown,
  theirs: () => unknown,
): Promise<{ readonly ratio: number; readonly oursMs: number }> {
  const samples: { ours: number; theirs: number }[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const sample = { ours: await sampleMs(ours), theirs: await sampleMs(theirs) };
    if (round >= 0) samples.push(sample); // the first two rounds warm up
  }
  return {
    ratio: median(samples.map((sample) => sample.ours / sample.theirs)),
    oursMs: median(samples.map((sample) => sample.ours)),
  };
}

/** The median CPU time of one call in ms. */
export async function cpuTime(rounds: number, work: () => unknown): Promise<number> {
  const samples: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const sample = await sampleMs(work);
    if (round >= 0) samples.push(sample);
  }
  return median(samples);
}
