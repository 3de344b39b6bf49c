import { VERSION } from '../../core/contract/constants.ts';
import type { ParsedEnvironment } from '../../io/platform/environment.ts';

/** The source of an archive. Each manifest and each Parquet file has it. */
export interface Origin {
  readonly version: string;
  /** From `git describe`. */
  readonly commit: string;
  /** `live`, `simulated`, or the host of another upstream. */
  readonly upstream: string;
  readonly stage: string;
}

export function originOf(environment: ParsedEnvironment<'archive-snapshots'>): Origin {
  const { SERVICE_VERSION: commit, UPSTREAM: upstream, STAGE: stage } = environment;
  return { version: VERSION, commit, upstream, stage };
}
