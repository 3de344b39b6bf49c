import { expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../../lambda/core/domain/time.ts';
import { PublishedSnapshots } from '../../../../lambda/io/snapshots/published-snapshots.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { AS_OF, testMarkets, testSnapshot } from '../../../support/markets.ts';
import { MemoryTable } from '../../../support/memory-table.ts';
import { TestWriter } from '../../../support/test-writer.ts';

const timeOf = (minute: number): number => AS_OF + minute * MINUTE_MS;

// There is a snapshot in each of the minutes 0 to 8. The period has the minutes 3 to 5, so 2 and 6
// are its neighbours.
it.each<[string, number[], number[], number[]]>([
  ['of which an item lists each', [], [], [2, 3, 4, 5, 6]],
  ['of which none lists the first one', [3], [], [2, 3, 4, 5, 6]],
  ['of which none lists the last one and the one after it', [5, 6], [], [2, 3, 4, 5, 6, 7]],
  ['without a list of the one before it', [2], [], [1, 2, 3, 4, 5, 6]],
  ['whose first one is lost', [], [3], [2, 3, 4, 5, 6]],
])(
  'finds the snapshots of a period and its neighbours, %s',
  async (_, unlisted, lost, expected) => {
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
