import { describe, expect, it } from '@jest/globals';
import { byVolume } from '../../../../lambda/domain/market.ts';

describe('the order of the list', () => {
  it.each([
    ['the greater volume comes first', { volume: 2, id: '0xb' }, { volume: 1, id: '0xa' }, -1],
    ['the smaller volume comes last', { volume: 1, id: '0xa' }, { volume: 2, id: '0xb' }, 1],
    [
      'the smaller id comes first where volumes are equal',
      { volume: 1, id: '0xa' },
      { volume: 1, id: '0xb' },
      -1,
    ],
    ['the greater id comes last there', { volume: 1, id: '0xb' }, { volume: 1, id: '0xa' }, 1],
    ['a market is equal to itself', { volume: 1, id: '0xa' }, { volume: 1, id: '0xa' }, 0],
  ])('%s', (_name, one, other, expected) => {
    expect(Math.sign(byVolume(one, other))).toBe(expected);
  });
});
