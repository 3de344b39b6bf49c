import type { Changes, Market } from './api.ts';
import { applyChanges } from './apply-changes.ts';
import { ApiError } from './errors.ts';
import type { Result } from './result.ts';
import type { Timing } from './timing.ts';

export interface FollowOptions {
  /** Between requests for changes. @default 60 */
  readonly everySeconds?: number;
  readonly signal?: AbortSignal;
  /** Called for each failed request. The copy stays, and the next request tries again. */
  readonly onError?: (error: unknown) => void;
}

export interface Followed {
  /** In list order. Each copy is a new array; unchanged markets are the same objects. */
  readonly markets: readonly Market[];
  /** Undefined with the first copy, or after the whole list was read again. */
  readonly changes: Changes | undefined;
  readonly snapshot: string;
  readonly asOf: Date | undefined;
  readonly ageSeconds: number | undefined;
}

interface Source {
  readonly pages: () => AsyncIterable<Result<readonly Market[]>>;
  readonly changes: (since: string) => Promise<Result<Changes>>;
}

/** Reads the list once, then only changes; yields a copy per new snapshot. Ends when the signal is aborted. */
export async function* follow(
  source: Source,
  timing: Timing,
  { everySeconds = 60, signal, onError }: FollowOptions,
): AsyncGenerator<Followed, void, undefined> {
  let copy: Followed | undefined;
  while (!signal?.aborted) {
    try {
      const newer: Followed = copy ? await update(source, copy) : await readAll(source);
      if (newer.snapshot !== copy?.snapshot) yield newer;
      copy = newer;
    } catch (error) {
      if (signal?.aborted) return;
      // The snapshot has expired.
      if (copy && ApiError.is(error, 'snapshot_gone')) {
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
  if (last?.snapshot === undefined) throw new Error('The response has no header X-Snapshot-Id');
  const { snapshot, asOf, ageSeconds } = last;
  return { markets, changes: undefined, snapshot, asOf, ageSeconds };
}

async function update(source: Source, copy: Followed): Promise<Followed> {
  const { data: changes, asOf, ageSeconds } = await source.changes(copy.snapshot);
  if (changes.to === copy.snapshot) return { ...copy, asOf, ageSeconds };
  return { markets: applyChanges(copy.markets, changes), changes, snapshot: changes.to, asOf, ageSeconds };
}
