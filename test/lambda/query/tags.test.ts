import { describe, expect, it } from '@jest/globals';
import type { Market } from '../../../lambda/domain/market.ts';
import { countTags } from '../../../lambda/query/tags.ts';
import { testMarket } from '../../support/markets.ts';

const market = (volume: number, tags: readonly string[], categories: Market['categories'] = []): Market =>
  testMarket(0, { volume, tags, categories });

describe('the tags of a snapshot', () => {
  it('have the number and the volume of their markets, most markets first, then volume, then slug', () => {
    const markets = [
      market(0.1, ['nfl', 'games'], ['sports']),
      market(0.2, ['nfl', 'b', 'a'], ['sports', 'tech']),
      market(5, ['games', 'large']),
    ];
    expect(countTags(markets)).toEqual({
      categories: [
        { slug: 'sports', markets: 2, volume: 0.3 },
        { slug: 'tech', markets: 1, volume: 0.2 },
      ],
      tags: [
        { slug: 'games', markets: 2, volume: 5.1 },
        { slug: 'nfl', markets: 2, volume: 0.3 },
        { slug: 'large', markets: 1, volume: 5 },
        { slug: 'a', markets: 1, volume: 0.2 },
        { slug: 'b', markets: 1, volume: 0.2 },
      ],
    });
  });

  it('are those that the filter can name: any case, no comma, at most 200 characters', () => {
    const long = 'x'.repeat(200);
    expect(countTags([market(1, ['NFL', 'nfl', 'a,b', long, `${long}x`])]).tags).toEqual([
      { slug: 'nfl', markets: 1, volume: 1 },
      { slug: long, markets: 1, volume: 1 },
    ]);
  });

  it('of no markets are empty', () => {
    expect(countTags([])).toEqual({ categories: [], tags: [] });
  });
});
