import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** What results are of: figures of different machines are compared by their ratios only. */
export interface Machine {
  readonly date: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  /** Runnable processes a core at the start: above 1 the machine was busy with other things. */
  readonly load: number;
}

export function thisMachine(): Machine {
  const [first] = cpus();
  const cores = cpus().length;
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    cpu: first?.model ?? 'unknown',
    cores,
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    load: Number(((loadavg()[0] ?? 0) / cores).toFixed(1)),
  };
}
