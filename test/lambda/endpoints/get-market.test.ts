import { describe, expect, it } from '@jest/globals';
import { MARKET_FIELDS } from '../../../lambda/contract/market-schemas.ts';
import { getMarket } from '../../../lambda/endpoints/get-market.ts';
import { endpointRequest } from '../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../support/markets.ts';

const market = testMarket(30, {
  sevenDayPriceChange: 1,
  category: 'tech',
  url: 'https://polymarket.com/market/x',
  catalogue: { outcome: 0.4 },
});
const snapshot = loadedSnapshot([...testMarkets(30), market]);
const deps = { snapshots: { latest: async () => snapshot, byId: async () => snapshot }, now: () => AS_OF };
const call = async (id: string, headers = {}) =>
  await getMarket(deps)(endpointRequest('get-market', `/api/markets/${id}`, headers, { id }));

describe('GET /api/markets/{id}', () => {
  it('has all public fields of the market', async () => {
    const { status, body, headers } = await call(market.slug ?? '');
    const names = MARKET_FIELDS.filter((name) => market[name] !== undefined);
    expect(status).toBe(200);
    expect(body).toBe(JSON.stringify(Object.fromEntries(names.map((name) => [name, market[name]]))));
    expect(JSON.parse(body)).toMatchObject({ sevenDayPriceChange: 1, category: 'tech' });
    expect(JSON.parse(body)).not.toHaveProperty('midpoint');
    expect(headers).toMatchObject({ 'X-Snapshot-Id': snapshot.info.id, ETag: expect.any(String) });
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('is another market of the same snapshot for another id', async () => {
    const ids = [market.id, testMarket(3).id, market.clobTokenId].map(
      async (id) => JSON.parse((await call(id)).body).id,
    );
    expect(await Promise.all(ids)).toEqual([market.id, testMarket(3).id, market.id]);
  });

  it('is 404 no_market for an unknown one', async () => {
    await expect(call('unknown')).rejects.toMatchObject({ code: 'no_market' });
  });
});
