import { applyChanges } from './apply-changes.ts';
import { ApiError } from './errors.ts';
import type { Changes, Market } from './generated/api.ts';
import type { Result } from './result.ts';
import type { Timing } from './timing.ts';

export interface FollowOptions {
  /** How often the service is asked what has changed, seconds. @default 60 */
  readonly everySeconds?: number;
  /** Ends the walk. */
  readonly signal?: AbortSignal;
  /** Told of each failed poll; the copy stays as it is and the next poll tries again. @default nobody */
  readonly onError?: (error: unknown) => void;
}

/** A local copy of the whole list, and what has changed since the one before. */
export interface Followed {
  /** In list order. A new array each time; markets that did not change are the same objects. */
  readonly markets: readonly Market[];
  /** Undefined with the first copy, and when the whole list had to be read again. */
  readonly changes: Changes | undefined;
  readonly snapshot: string;
  readonly asOf: Date | undefined;
  readonly ageSeconds: number | undefined;
}

interface Source {
  readonly pages: () => AsyncIterable<Result<readonly Market[]>>;
  readonly changes: (since: string) => Promise<Result<Changes>>;
}

const DEFAULT_SECONDS = 60;

/** Reads the list once, then only what changes; yields whenever something did. Ends when the signal is aborted. */
export async function* follow(
  source: Source,
  timing: Timing,
  { everySeconds = DEFAULT_SECONDS, signal, onError }: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  let copy: Followed | undefined;
  while (!signal?.aborted) {
    try {
      const newer: Followed = copy ? await update(source, copy) : await readAll(source);
      if (newer.snapshot !== copy?.snapshot) yield newer;
      copy = newer;
    } catch (error) {
      if (signal?.aborted) return;
      // Away for longer than the service keeps a snapshot: begin again.
      if (ApiError.is(error, 'snapshot_gone')) {
        copy = undefined;
        continue;
      }
      onError?.(error);
    }
    await timing.sleep(everySeconds * 1_000, signal).catch(() => undefined);
  }
}

async function readAll(source: Source): Promise<Followed> {
  const markets: Market[] = [];
  let last: Result<readonly Market[]> | undefined;
  for await (const page of source.pages()) {
    markets.push(...page.data);
    last = page;
  }
  if (last?.snapshot === undefined) throw new Error('The service does not tell the snapshot of its list');
  const { snapshot, asOf, ageSeconds } = last;
  return { markets, changes: undefined, snapshot, asOf, ageSeconds };
}

async function update(source: Source, copy: Followed): Promise<Followed> {
  const { data: changes, asOf, ageSeconds } = await source.changes(copy.snapshot);
  if (changes.to === copy.snapshot) return { ...copy, asOf, ageSeconds };
  return { markets: applyChanges(copy.markets, changes), changes, snapshot: changes.to, asOf, ageSeconds };
}
