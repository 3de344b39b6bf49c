import { describe, expect, it } from '@jest/globals';
import type { Changes, Market } from '../../packages/client/src/api.ts';
import { ApiError } from '../../packages/client/src/errors.ts';
import { follow } from '../../packages/client/src/follow.ts';
import { type Result, toResult } from '../../packages/client/src/result.ts';
import { FakeTiming, failure, json, market } from './support/fake-service.ts';

const errorOf = (status: number, code: string) => new ApiError(failure(status, code), { code });
const pageOf = (markets: readonly Market[], snapshot: string) =>
  toResult(markets, json([], { 'x-snapshot-id': snapshot }), 0);

const changesTo = (from: string, to: string, changes: Partial<Changes> = {}): Changes => {
  return { from, to, asOf: '2026-11-21T12:01:00Z', added: [], changed: [], removed: [], ...changes };
};

/** A source whose polls respond one after the other with `polls`: changes, or errors. */
function sourceOf(polls: readonly (Changes | Error)[]) {
  const left = [...polls];
  let reads = 0;
  return {
    since: [] as string[],
    async *pages(): AsyncGenerator<Result<readonly Market[]>> {
      reads += 1;
      yield pageOf([market(1, 30), market(2, 20)], `read-${reads}`);
      yield pageOf([market(3, 10)], `read-${reads}`);
    },
    async changes(since: string): Promise<Result<Changes>> {
      this.since.push(since);
      const next = left.shift();
      if (next === undefined || next instanceof Error) throw next ?? new Error('no more polls');
      return toResult(next, json({}), 0);
    },
  };
}

describe('follow', () => {
  it('reads the list once and then applies changes', async () => {
    const source = sourceOf([changesTo('read-1', 'b', { removed: [market(2, 0).id], added: [market(9, 90)] })]);
    const timing = new FakeTiming();
    const copies: (readonly [string, number[], string | undefined])[] = [];
    for await (const { snapshot, markets, changes } of follow(source, timing, { everySeconds: 30 })) {
      copies.push([snapshot, markets.map(({ volume }) => volume), changes?.to]);
      if (copies.length === 2) break;
    }
    expect(copies).toEqual([
      ['read-1', [30, 20, 10], undefined],
      ['b', [90, 30, 10], 'b'],
    ]);
    expect(source.since).toEqual(['read-1']);
    expect(timing.slept).toEqual([30_000]);
  });

  it('yields nothing while the snapshot is the same, and reads from the newest one on', async () => {
    const source = sourceOf([changesTo('read-1', 'read-1'), changesTo('read-1', 'b'), changesTo('b', 'c')]);
    const seen: string[] = [];
    for await (const { snapshot } of follow(source, new FakeTiming(), {})) {
      seen.push(snapshot);
      if (snapshot === 'c') break;
    }
    expect(seen).toEqual(['read-1', 'b', 'c']);
    expect(source.since).toEqual(['read-1', 'read-1', 'b']);
  });

  it('reports a failed poll and reads the whole list again after the snapshot has expired', async () => {
    const source = sourceOf([errorOf(502, 'snapshot_stale'), errorOf(410, 'snapshot_gone')]);
    const seen: unknown[] = [];
    const options = { onError: (error: unknown) => seen.push(error) };
    for await (const { snapshot, changes } of follow(source, new FakeTiming(), options)) {
      seen.push({ snapshot, changes });
      if (snapshot === 'read-2') break;
    }
    expect(seen).toMatchObject([{ snapshot: 'read-1' }, { code: 'snapshot_stale' }, { changes: undefined }]);
  });

  it('waits before it tries again when the list itself cannot be read, and ends when the signal is aborted', async () => {
    const abort = new AbortController();
    const timing = new FakeTiming();
    const pages = () => {
      if (timing.slept.length === 2) abort.abort();
      throw errorOf(410, 'snapshot_gone');
    };
    for await (const _ of follow({ ...sourceOf([]), pages }, timing, { signal: abort.signal }));
    expect(timing.slept).toEqual([60_000, 60_000]);
  });
});
