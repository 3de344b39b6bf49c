import { describe, expect, it } from '@jest/globals';
import { isSnapshotId, snapshotId } from '../../../../lambda/domain/snapshot.ts';

const AS_OF = Date.parse('2026-11-21T12:00:00.123Z');

describe('the id of a snapshot', () => {
  it.each([
    [0, '00000000'],
    [1 / 2 ** 32, '00000001'],
    [0.5, '80000000'],
    [0x9f86d081 / 2 ** 32, '9f86d081'],
    [1 - 1 / 2 ** 32, 'ffffffff'],
    [1 - 1 / 2 ** 40, 'ffffffff'],
  ])('is the time of its prices and 32 random bits: %d is %s', (random, bits) => {
    const id = snapshotId(AS_OF, () => random);
    expect(id).toBe(`20261121T120000123Z-${bits}`);
    expect(isSnapshotId(id)).toBe(true);
  });

  it('sorts by time', () => {
    const ids = [AS_OF + 86_400_000, AS_OF + 1, AS_OF].map((asOf) => snapshotId(asOf, () => 0));
    expect(ids.toSorted()).toEqual(ids.toReversed());
  });

  it.each([
    '',
    '2026112T120000123Z-9f86d081',
    '20261121T12000012Z-9f86d081',
    '20261121T1200001230Z-9f86d081',
    '20261121120000123Z-9f86d081',
    '20261121T120000123Z-9f86d08',
    '20261121T120000123Z-9F86D081',
    '20261121T120000123Z-9f86d0811',
    ' 20261121T120000123Z-9f86d081',
    'pointer',
  ])('is not %j', (text) => {
    expect(isSnapshotId(text)).toBe(false);
  });
});
