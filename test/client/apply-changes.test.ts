import { describe, expect, it } from '@jest/globals';
import type { Changes } from '../../packages/client/src/api.ts';
import { applyChanges } from '../../packages/client/src/apply-changes.ts';
import { market } from './support/fake-service.ts';

const asOf = '2026-11-21T12:01:00Z';
const NO_CHANGES: Changes = { from: 'a', to: 'b', asOf, added: [], changed: [], removed: [] };
const idsOf = (markets: readonly { id: string }[]) => markets.map(({ id }) => Number(id));

describe('applyChanges', () => {
  const list = [market(1, 30), market(2, 20), market(3, 10)];

  it('deletes, inserts and changes markets, and sorts by volume', () => {
    const changes: Changes = {
      ...NO_CHANGES,
      added: [market(4, 25)],
      changed: [{ id: market(3, 0).id, volume: 40 }],
      removed: [market(2, 0).id],
    };
    expect(idsOf(applyChanges(list, changes))).toEqual([3, 1, 4]);
    expect(idsOf(list)).toEqual([1, 2, 3]);
  });

  it('sorts markets of one volume by id, and follows the order of the service if the response has one', () => {
    expect(idsOf(applyChanges([], { ...NO_CHANGES, added: [market(2, 5), market(1, 5)] }))).toEqual([1, 2]);
    const order = [3, 1, 2].map((n) => market(n, 0).id);
    expect(idsOf(applyChanges(list, { ...NO_CHANGES, order }))).toEqual([3, 1, 2]);
  });

  it('removes a field that is null, except the 1-day change', () => {
    const before = { ...market(1, 30), slug: 'a-slug', oneDayPriceChange: 2, outcome: 'Over' };
    const change = { id: before.id, slug: null, oneDayPriceChange: null };
    const [after] = applyChanges([before], { ...NO_CHANGES, changed: [change] });
    expect(after).toEqual({ ...market(1, 30), oneDayPriceChange: null, outcome: 'Over' });
  });

  it('keeps the order of the fields when a field appears', () => {
    const changed = [{ id: market(1, 0).id, slug: 'new', sevenDayPriceChange: 1 }];
    const [after] = applyChanges([{ ...market(1, 30), outcome: 'Up' }], { ...NO_CHANGES, changed });
    const first = 'id question slug currentProbability volume liquidity oneDayPriceChange sevenDayPriceChange';
    const names = Object.keys({ ...after });
    expect(names.slice(0, 8).join(' ')).toBe(first);
    expect(names.indexOf('outcome')).toBeGreaterThan(names.indexOf('clobTokenId'));
  });

  it('keeps unchanged markets as the same objects and ignores changes of unknown ones', () => {
    const after = applyChanges(list, { ...NO_CHANGES, changed: [{ id: '0xunknown', volume: 1 }] });
    expect(after).toEqual(list);
    expect(after.every((one, n) => one === list[n])).toBe(true);
  });
});
