import { describe, expect, it } from '@jest/globals';
import { decodeVarintSnapshot } from '../../../../../lambda/snapshots/former/varint-tables.ts';
import { snapshotEntry } from '../../../../support/snapshot-entry.ts';
import { BASE, MOVED, REORDERED } from './varint-fixtures.ts';

describe('a snapshot of varints that the version before has written', () => {
  const [one, , three] = [1, 2, 3].map((n) => snapshotEntry(n));
  const recordOf = ({ market, facets }: ReturnType<typeof snapshotEntry>) => ({ ...market, ...facets });

  it('is read with the markets that are new, gone and moved', () => {
    const { records } = decodeVarintSnapshot(BASE, MOVED, 3);
    const volume = (one?.market.volume ?? 0) + 1.5;
    const expected = [
      snapshotEntry(1, { volume, oneDayPriceChange: null }),
      snapshotEntry(3),
      snapshotEntry(9, { question: 'Zürich?' }),
    ].sort((a, b) => b.market.volume - a.market.volume);
    expect([...records]).toEqual(expected.map(recordOf));
  });

  it('keeps an order that is not that of the volumes', () => {
    const { list } = decodeVarintSnapshot(BASE, REORDERED, 2);
    expect([list.at(0).id, list.at(1).id]).toEqual([three?.market.id, one?.market.id]);
  });

  it('is refused when a part of it is not whole, or another', () => {
    const broken = { ...BASE, checksum: MOVED.checksum };
    expect(() => decodeVarintSnapshot(broken, MOVED, 3)).toThrow('The base does not match');
    expect(() => decodeVarintSnapshot(BASE, broken, 3)).toThrow('The snapshot does not match');
    expect(() => decodeVarintSnapshot(BASE, MOVED, 4)).toThrow('Expected 4 markets, found 3');
  });
});
