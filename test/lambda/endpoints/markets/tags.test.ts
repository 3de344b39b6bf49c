// GET /api/tags counts the markets of each tag and of each category.

import { expect, it } from '@jest/globals';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { listTags } from '../../../../lambda/endpoints/markets/tags.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { loadedSnapshot, testMarket } from '../../../support/markets.ts';

/** A market with only what the tags count. */
const market = (
  volume: number,
  tags: readonly string[],
  categories: Market['categories'] = [],
): Market => testMarket(0, { volume, tags, categories });

async function tagsOf(...markets: readonly Market[]) {
  const { body } = await listTags(snapshotDeps(loadedSnapshot(markets)))(
    endpointRequest('list-tags', '/api/tags'),
  );
  return JSON.parse(body);
}

it('GET /api/tags counts markets and their volume: most markets first, then volume, then slug', async () => {
  const markets = [
    market(0.1, ['nfl', 'games'], ['sports']),
    market(0.2, ['nfl', 'b', 'a'], ['sports', 'tech']),
    market(5, ['games', 'large']),
  ];
  expect(await tagsOf(...markets)).toEqual({
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

it('GET /api/tags has what the filter can name: any case, no comma, at most 200 characters', async () => {
  const long = 'x'.repeat(200);
  expect((await tagsOf(market(1, ['NFL', 'nfl', 'a,b', long, `${long}x`]))).tags).toEqual([
    { slug: 'nfl', markets: 1, volume: 1 },
    { slug: long, markets: 1, volume: 1 },
  ]);
});
