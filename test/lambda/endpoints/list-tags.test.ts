import { expect, it } from '@jest/globals';
import { listTags } from '../../../lambda/endpoints/list-tags.ts';
import { endpointRequest } from '../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket } from '../../support/markets.ts';

it('GET /api/tags has the categories and tags of the newest snapshot', async () => {
  const snapshot = loadedSnapshot([testMarket(0, { volume: 2, tags: ['nba'], categories: ['sports'] })]);
  const endpoint = listTags({
    snapshots: { latest: async () => snapshot, byId: async () => loadedSnapshot([]) },
    now: () => AS_OF,
  });
  const { body, headers } = await endpoint(endpointRequest('list-tags', '/api/tags'));
  const [categories, tags] = ['sports', 'nba'].map((slug) => [{ slug, markets: 1, volume: 2 }]);
  expect(JSON.parse(body)).toEqual({ categories, tags });
  expect(headers['X-Snapshot-Id']).toBe(snapshot.info.id);
});
