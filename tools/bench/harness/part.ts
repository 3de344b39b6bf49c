import type { BenchService } from '../fixture/bench-service.ts';
import type { Figure } from './figure.ts';

export interface BenchContext {
  /** Fewer rounds and smaller sizes, for a check of under a minute. */
  readonly quick: boolean;
  /** The synthesised service with 2,000 markets published; started by the first part that needs it. */
  service(): Promise<BenchService>;
}

/** A part of the benchmark, run alone with `npm run bench -- <name>`. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  /** Whether it belongs to `--quick`. */
  readonly quick: boolean;
  readonly run: (context: BenchContext) => Promise<readonly Figure[]>;
}
