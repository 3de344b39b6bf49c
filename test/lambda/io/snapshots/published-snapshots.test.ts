import { expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { PublishedSnapshots } from '../../../../lambda/io/snapshots/published-snapshots.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testMarkets, testSnapshot } from '../../../support/markets.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { TestWriter } from '../../../support/test-writer.ts';

// The archive finds the snapshots of a day, and its neighbours: the ones before and after it, so that
// it notices a gap at midnight. An item lists each published snapshot. A run that ends early does not
// write that item, but each snapshot names the one before it, so it is found through the next one.

const timeOf = (minute: number): number => AS_OF + minute * MINUTE_MS;

interface Case {
  readonly when: string;
  /** The minutes of the snapshots that no item lists. */
  readonly unlisted?: readonly number[];
  /** The minutes of the snapshots of which a part is lost. */
  readonly lost?: readonly number[];
  /** The minutes of the snapshots that are found. */
  readonly found: readonly number[];
}

// There is a snapshot in each of the minutes 0 to 8. The period has the minutes 3 to 5, so 2 and 6
// are its neighbours.
it.each<Case>([
  { when: 'an item lists each', found: [2, 3, 4, 5, 6] },
  { when: 'no item lists the first one', unlisted: [3], found: [2, 3, 4, 5, 6] },
  {
    when: 'no item lists the last one and the one after it',
    unlisted: [5, 6],
    // 7 is the next one that is listed.
    found: [2, 3, 4, 5, 6, 7],
  },
  // 1 is the last one before it that is listed.
  { when: 'no item lists the one before it', unlisted: [2], found: [1, 2, 3, 4, 5, 6] },
  // The item that lists it is still there.
  { when: 'the first one is lost', lost: [3], found: [2, 3, 4, 5, 6] },
])(
  'the snapshots of a period and its neighbours are found when $when',
  async ({ unlisted = [], lost = [], found: expected }) => {
    const { client, items } = new MemoryTable();
    const options = { client, table: 'table' };
    const writer = new TestWriter({ ...options, clock: new ManualClock(), isArchived: true });
    for (let minute = 0; minute <= 8; minute++) {
      const snapshot = testSnapshot(testMarkets(1), timeOf(minute));
      await writer.publish(snapshot);
      if (unlisted.includes(minute)) expect(items.delete(`PUBLISHED ${snapshot.asOf}`)).toBe(true);
      if (lost.includes(minute)) expect(items.delete(`SNAPSHOT#${snapshot.id} 0`)).toBe(true);
    }
    const found = await new PublishedSnapshots(options).between(timeOf(3), timeOf(6));
    expect(found.map(({ asOf }) => asOf)).toEqual(expected.map(timeOf));
  },
);
