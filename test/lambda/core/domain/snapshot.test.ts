// A snapshot is the list of markets with their prices at one time. Its id begins with this time.

import { describe, expect, it } from '@jest/globals';
import { isSnapshotId } from '../../../../lambda/core/domain/ids.ts';
import { snapshotId, snapshotTime } from '../../../../lambda/core/domain/snapshot.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00.123Z');

describe('a snapshot id', () => {
  it.each([
    [0, '20261121T120000123Z-00000000'],
    [0.5, '20261121T120000123Z-80000000'],
    [1 - 2 ** -33, '20261121T120000123Z-ffffffff'],
  ])(
    'has the time of the prices and 32 random bits: those of the random number %d',
    (random, id) => {
      expect(snapshotId(AS_OF, () => random)).toBe(id);
      expect(isSnapshotId(id)).toBe(true);
      expect(snapshotTime(id)).toBe(AS_OF);
    },
  );

  it.each([
    '20261121T120000Z-00000000',
    '20261121T120000123Z-0000000g',
    '20261121T120000123Z-000000000',
  ])('is not %j', (text) => expect(isSnapshotId(text)).toBe(false));
});
