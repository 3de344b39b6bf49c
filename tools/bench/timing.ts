/** Median and 99th percentile in ms of many runs of a piece of work, after some to warm it up. */
export interface Timing {
  readonly median: number;
  readonly p99: number;
}

const WARM_UP_SHARE = 0.1;

export async function timed(runs: number, work: (run: number) => unknown): Promise<Timing> {
  const times: number[] = [];
  const warmUp = Math.ceil(runs * WARM_UP_SHARE);
  for (let run = -warmUp; run < runs; run++) {
    const started = performance.now();
    await work(Math.max(0, run));
    if (run >= 0) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(runs - 1, Math.floor(runs * share))] ?? 0;
  return { median: quantile(0.5), p99: quantile(0.99) };
}

/** `0.012 ms`, `3.4 ms` */
export function ms(value: number): string {
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`;
}

/** A table for people: columns are as wide as their widest cell. */
export function table(title: string, rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) =>
      `  ${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
  );
  return [`\n${title}`, ...lines].join('\n');
}
