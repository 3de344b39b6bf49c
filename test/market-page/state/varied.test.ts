import { describe, expect, it } from '@jest/globals';
import { varied } from '../../../packages/market-page/src/state/varied.ts';

// The first screen has few rows. So that one topic does not fill them, `varied` skips further items
// of a topic while there are others.

/** The topic of an item is its first letter: `s1` and `s2` have the same. */
const topicOf = (item: string) => item.charAt(0);

describe('the rows of the first screen', () => {
  it('are of different topics', () => {
    const items = ['s1', 's2', 's3', 's4', 'c1', 's5', 'p1', 'c2'];
    expect(varied(4, items, topicOf)).toEqual(['s1', 's2', 'c1', 'p1']);
  });

  it('are as many as there are, of one topic if need be', () => {
    expect(varied(3, ['s1', 's2', 's3', 's4'], topicOf)).toEqual(['s1', 's2', 's3']);
    expect(varied(5, ['s1'], topicOf)).toEqual(['s1']);
  });
});
