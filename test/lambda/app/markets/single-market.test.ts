import { describe, expect, it } from '@jest/globals';
import type { HttpResponse } from '../../../../lambda/app/http/response.ts';
import { getMarket } from '../../../../lambda/app/markets/single-market.ts';
import { MARKET_FIELDS } from '../../../../lambda/core/contract/market-fields.ts';
import type { Market } from '../../../../lambda/core/domain/market.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { endpointRequest } from '../../../support/endpoint-request.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';

const market = testMarket(30, {
  sevenDayPriceChange: 1,
  category: 'tech',
  url: 'https://polymarket.com/market/x',
  catalogue: { outcome: 0.4 },
});
const snapshot = loadedSnapshot([...testMarkets(30), market]);
const deps = { snapshots: { latest: async () => snapshot, byId: async () => snapshot }, now: () => AS_OF };
const unlisted = async (name: string): Promise<HttpResponse> => ({
  status: 200,
  body: `unlisted ${name}`,
  headers: {},
});
const call = async (id: string, headers = {}) =>
  await getMarket(deps, unlisted)(endpointRequest('get-market', `/api/markets/${id}`, headers, { id }));

describe('GET /api/markets/{id}', () => {
  it('has all public fields of the market', async () => {
    const { status, body, headers } = await call(market.slug ?? '');
    const dated: Partial<Market> = { ...market, pricedAt: new Date(snapshot.info.asOf).toISOString() };
    const names = MARKET_FIELDS.filter((name) => dated[name] !== undefined);
    expect(status).toBe(200);
    const fields = Object.fromEntries(names.map((name) => [name, dated[name]]));
    expect(body).toBe(JSON.stringify({ ...fields, status: 'active' }));
    expect(JSON.parse(body)).toMatchObject({ sevenDayPriceChange: 1, category: 'tech' });
    expect(headers).toMatchObject({ 'X-Snapshot-Id': snapshot.info.id, ETag: expect.any(String) });
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('looks up a market that is not in the list', async () => {
    expect((await call('other')).body).toBe('unlisted other');
  });

  it('looks up nothing without a fresh snapshot', async () => {
    const stale = new ServiceError('snapshot_stale', 'The data is too old.');
    const snapshots = { latest: () => Promise.reject(stale), byId: () => Promise.reject(stale) };
    const request = endpointRequest('get-market', '/api/markets/other', {}, { id: 'other' });
    await expect(getMarket({ ...deps, snapshots }, unlisted)(request)).rejects.toBe(stale);
  });
});
