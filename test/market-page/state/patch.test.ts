import { describe, expect, it } from '@jest/globals';
import type { Changes, Market } from '../../../packages/client/src/index.ts';
import type { Page } from '../../../packages/market-page/src/state/list.ts';
import { changedPage, patchOf } from '../../../packages/market-page/src/state/patch.ts';
import { readShown } from '../../../packages/market-page/src/state/shown.ts';

describe('a change of a row', () => {
  const row = {
    id: '0x1',
    currentProbability: 50,
    oneDayPriceChange: 1,
    sevenDayPriceChange: 2,
    volume24h: 5,
  };

  it('replaces the changed fields and keeps the others', () => {
    const patch = patchOf({ changed: [{ id: '0x1', currentProbability: 61.5 }] });
    expect(patch(row)).toEqual({ ...row, currentProbability: 61.5 });
  });

  it('takes null as a value of the 1-day change only', () => {
    const patch = patchOf({ changed: [{ id: '0x1', oneDayPriceChange: null, sevenDayPriceChange: null }] });
    expect(patch(row)).toEqual({ ...row, oneDayPriceChange: null });
  });

  it('returns other rows as they are', () => {
    expect(patchOf({ changed: [{ id: '0x2', currentProbability: 1 }] })(row)).toBe(row);
  });
});

describe('a changed page', () => {
  const market = (id: string) => ({ id, question: id }) as Market;
  const page = (of = '') =>
    ({
      ...{ of: readShown(of), markets: [market('a'), market('b')], changed: { added: 0, removed: 0 } },
      ...{ listSnapshot: '1', snapshot: '1' },
    }) as unknown as Page;
  const changes = { to: '2', added: [market('c')], changed: [], removed: ['a', 'unknown'] } as unknown as Changes;

  it('keeps its rows, and counts what joined and left since the list was read', () => {
    const second = changedPage(page(), changes);
    expect(second).toMatchObject({ markets: [{ id: 'a' }, { id: 'b' }], snapshot: '2' });
    expect(second.changed).toEqual({ added: 1, removed: 1 });
    expect(changedPage(second, { ...changes, removed: ['b'] }).changed).toEqual({ added: 2, removed: 2 });
    // A further page has the prices of the list again: the next changes contain the earlier ones.
    expect(changedPage({ ...second, snapshot: '1' }, changes).changed).toEqual({ added: 1, removed: 1 });
  });

  it('counts no new market for a filter, which only the service can apply', () => {
    expect(changedPage(page('?category=crypto'), changes).changed).toEqual({ added: 0, removed: 1 });
  });
});
