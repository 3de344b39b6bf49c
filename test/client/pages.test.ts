import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../packages/client/src/errors.ts';
import { iteratePages, type PageStart, type PagesOptions } from '../../packages/client/src/pages.ts';
import { toResult } from '../../packages/client/src/result.ts';
import { failure, json } from './support/fake-service.ts';

const SNAPSHOT = 'snapshot-1';
const gone = () => new ApiError(failure(410, 'snapshot_gone'), { code: 'snapshot_gone' });

/** A list of numbers, read in pages. @param sizes number of entries of each page @param failAt number of the read that fails */
function listOf(total: number, sizes: readonly number[], failAt = -1, error: unknown = gone()) {
  const starts: PageStart[] = [];
  const read = async (start: PageStart) => {
    const size = sizes[starts.length] ?? 0;
    starts.push(start);
    if (starts.length - 1 === failAt) throw error;
    const numbers = Array.from({ length: Math.min(size, total - start.offset) }, (_, n) => start.offset + n);
    return toResult(numbers, json([], { 'x-snapshot-id': SNAPSHOT, 'x-total-count': String(total) }), '', 0);
  };
  const collect = async (options: PagesOptions = {}, first = { offset: 0, snapshot: undefined }) => {
    const seen: number[] = [];
    for await (const page of iteratePages(read, first, options)) seen.push(...page.data);
    return seen;
  };
  return { starts, collect };
}

describe('paging', () => {
  it('reads every entry once, all pages after the first from the snapshot of the first', async () => {
    const { starts, collect } = listOf(5, [2, 2, 2]);
    expect(await collect()).toEqual([0, 1, 2, 3, 4]);
    expect(starts.map(({ offset }) => offset)).toEqual([0, 2, 4]);
    expect(starts.map(({ snapshot }) => snapshot)).toEqual([undefined, SNAPSHOT, SNAPSHOT]);
  });

  it('continues where a page ended that was shorter than its limit', async () => {
    const { starts, collect } = listOf(5, [2, 1, 2]);
    expect(await collect()).toEqual([0, 1, 2, 3, 4]);
    expect(starts.map(({ offset }) => offset)).toEqual([0, 2, 3]);
  });

  it('sends no request beyond the last entry, and ends at an empty page', async () => {
    const exact = listOf(4, [2, 2, 2]);
    await exact.collect();
    expect(exact.starts).toHaveLength(2);
    const empty = listOf(9, [2, 0, 2]);
    expect(await empty.collect()).toEqual([0, 1]);
  });

  it('begins where the query says', async () => {
    const { collect } = listOf(5, [2, 2]);
    expect(await collect({}, { offset: 3, snapshot: undefined })).toEqual([3, 4]);
  });

  it('rejects when the snapshot has expired', async () => {
    await expect(listOf(5, [2, 2, 2], 1).collect()).rejects.toMatchObject({ code: 'snapshot_gone' });
  });

  it('begins again in the newest snapshot with `restart`', async () => {
    const { starts, collect } = listOf(5, [2, 2, 2, 2, 2], 1);
    expect(await collect({ whenGone: 'restart' })).toEqual([0, 1, 0, 1, 2, 3, 4]);
    expect(starts[2]).toEqual({ offset: 0, snapshot: undefined });
  });

  it('does not restart after other errors, or when the first page fails', async () => {
    const failed = new Error('network');
    await expect(listOf(5, [2, 2], 1, failed).collect({ whenGone: 'restart' })).rejects.toBe(failed);
    await expect(listOf(5, [2], 0).collect({ whenGone: 'restart' })).rejects.toMatchObject({ status: 410 });
  });
});
