import type { Change, Known } from './observation.ts';

/** What the radar remembers between runs. */
export interface UpstreamMemory {
  readonly known: Known;
  /** ISO 8601 with the newest change; absent before there was any. */
  readonly lastChange?: Change & { readonly at: string };
}

export interface UpstreamMemoryStore {
  read(): Promise<UpstreamMemory | undefined>;
  write(memory: UpstreamMemory): Promise<void>;
}
