import { VERSION } from '../../core/contract/constants.ts';
import type { ParsedEnvironment } from '../../io/platform/environment.ts';

/** Where an archive comes from: in each manifest, and in the metadata of each Parquet file. */
export interface Origin {
  readonly version: string;
  /** As `git describe` names it. */
  readonly commit: string;
  /** `live`, `simulated`, or the host of another upstream. */
  readonly upstream: string;
  readonly stage: string;
}

export function originOf(environment: ParsedEnvironment<'archive-snapshots'>): Origin {
  const { SERVICE_VERSION: commit, UPSTREAM: upstream, STAGE: stage } = environment;
  return { version: VERSION, commit, upstream, stage };
}
