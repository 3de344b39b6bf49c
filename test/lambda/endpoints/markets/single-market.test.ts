import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { getMarket } from '../../../../lambda/endpoints/markets/single-market.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';
import { orderBook } from '../../../support/order-book.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { CLOSED, ID, resolutionRow, type Upstreams, unlistedRig } from './unlisted-rig.ts';

const NO_CHANGES = {
  oneDayPriceChange: null,
  sevenDayPriceChange: null,
  thirtyDayPriceChange: null,
};

const stub = await startStubUpstream();

/** The market that Gamma has and the list has not. */
const unlisted = (upstreams: Upstreams) => unlistedRig(stub, upstreams).market('UnlistedMarket');

describe('a market of the list', () => {
  const market = testMarket(30, {
    sevenDayPriceChange: 1,
    category: 'tech',
    url: 'https://polymarket.com/market/x',
  });
  const snapshot = loadedSnapshot([...testMarkets(30), market]);
  const lookup = async (name: string) => ({ status: 200, body: `unlisted ${name}`, headers: {} });
  const call = async (id: string, deps = snapshotDeps(snapshot)) =>
    await getMarket(deps, lookup)(endpointRequest('get-market', `/api/markets/${id}`, {}, { id }));

  it('has all its public fields', async () => {
    const { body, headers } = await call(market.slug ?? '');
    const { catalogue: _, categories: __, ...fields } = market;
    expect(JSON.parse(body)).toEqual({
      ...fields,
      pricedAt: '2026-11-21T12:00:00.000Z',
      status: 'active',
    });
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('is looked up if the newest snapshot does not have it, but not without a snapshot', async () => {
    expect((await call('other')).body).toBe('unlisted other');
    const stale = new ServiceError('snapshot_stale', 'The data is too old.');
    const snapshots = { latest: () => Promise.reject(stale), byId: () => Promise.reject(stale) };
    await expect(call('other', { snapshots, now: () => AS_OF })).rejects.toBe(stale);
  });
});

describe('an open market that is not in the list', () => {
  it('is priced from one book and has no changes', async () => {
    const book = send(orderBook(['0.6', '0.61'], ['0.7', '0.63'], { last_trade_price: '0.5' }));
    const { market, called } = unlistedRig(stub, { open: [gammaRecord()], book });
    expect(await market('UnlistedMarket')).toMatchObject({
      id: ID,
      status: 'active',
      currentProbability: 62,
      midpoint: 0.62,
      priceSource: 'book',
      bestBid: 0.61,
      bestAsk: 0.63,
      spread: 0.02,
      tags: ['weather'],
      eventSlug: 'rain-in-zurich',
      ...NO_CHANGES,
      outcomes: [
        { label: 'Yes', tokenId: '111', probability: 62 },
        { label: 'No', tokenId: '222', probability: 38 },
      ],
    });
    expect(called('/book')).toEqual(['/book?token_id=111']);
    expect(called('/v2')).toEqual([]);
  });

  it.each([
    [
      'the last trade within the sides',
      orderBook(['0.2'], ['0.9'], { last_trade_price: '0.95' }),
      90,
    ],
    [
      "the catalogue's outcome within the sides if CLOB knows no trade",
      orderBook(['0.06'], ['0.9']),
      6,
    ],
  ])('has the price of %s', async (_, book, probability) => {
    const { market } = unlistedRig(stub, { open: [gammaRecord()], book: send(book) });
    expect((await market('UnlistedMarket')).currentProbability).toBe(probability);
  });

  it('has its sides even without a price', async () => {
    const book = send(orderBook(['0.2'], [], { last_trade_price: '' }));
    const market = await unlisted({ open: [gammaRecord()], book });
    expect(market).toMatchObject({ bestBid: 0.2, spread: 0.8, lastTradePrice: 0.04 });
    for (const name of ['currentProbability', 'priceSource', 'pricedAt'])
      expect(market).not.toHaveProperty(name);
  });

  it('without a book and without volume has the price of the catalogue', async () => {
    const record = gammaRecord({
      volume: undefined,
      volumeNum: undefined,
      lastTradePrice: undefined,
    });
    expect((await unlisted({ open: [record] })).currentProbability).toBe(5.4);
  });
});

describe('a closed market', () => {
  it.each([
    [
      'proposed',
      resolutionRow({ status: 'proposed', proposed_price: '1000000000000000000' }),
      'proposed',
    ],
    ['disputed', resolutionRow({ status: 'disputed', payouts: [1_000_000, 0] }), 'disputed'],
    ['said to be resolved without payouts', resolutionRow({ status: 'resolved' }), 'resolved'],
    [
      'resolved with other outcomes',
      resolutionRow({ status: 'resolved', payouts: [1_000_000, 0, 0] }),
      'resolved',
    ],
  ])('%s is closed, even with a price near 1', async (_, resolution, status) => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.999 })];
    expect(await unlisted({ closed, resolution })).toMatchObject({
      status: 'closed',
      closedAt: '2026-11-20T10:00:00.000Z',
      resolution: { status },
      ...NO_CHANGES,
      currentProbability: 99.9,
      lastTradePrice: 0.999,
      outcomes: [{ probability: 99.9 }, { probability: 0.1 }],
    });
  });

  it("without a resolution has the catalogue's status", async () => {
    const resolution = send({ data: [] });
    const proposed = gammaRecord({ ...CLOSED, umaResolutionStatus: 'proposed' });
    const closed = { status: 'closed', resolution: { status: 'proposed' } };
    expect(await unlisted({ closed: [proposed], resolution })).toMatchObject(closed);
    const silent = await unlisted({ closed: [gammaRecord(CLOSED)], resolution });
    expect(silent).not.toHaveProperty('resolution');
  });

  it('without a trade has no price', async () => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: undefined })];
    expect(await unlisted({ closed })).not.toHaveProperty('currentProbability');
  });

  it('without a planned end ends when it was closed', async () => {
    const record = gammaRecord({ ...CLOSED, endDate: undefined, events: undefined });
    const { endDate } = await unlisted({ closed: [record] });
    expect(endDate).toBe('2026-11-20T10:00:00.000Z');
  });
});

describe('a resolved market', () => {
  const resolved = (payouts: readonly number[], fields = {}) =>
    resolutionRow({ status: 'resolved', payouts, ...fields });

  it.each([
    [[1_000_000, 0], 100, [1, 0]],
    [[0, 1_000_000], 0, [0, 1]],
    [[500_000, 500_000], 50, [0.5, 0.5]],
    [[333_333, 666_667], 33.333, [0.333333, 0.666667]],
  ])('with the payouts %j has the probability %p', async (millionths, probability, payouts) => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.6 })];
    const market = await unlistedRig(stub, { closed, resolution: resolved(millionths) }).market(
      'ResolvedMarket',
    );
    expect(market).toMatchObject({
      status: 'resolved',
      currentProbability: probability,
      ...NO_CHANGES,
    });
    expect(market.resolution).toEqual({
      status: 'resolved',
      payouts: payouts.map((payout, n) => ({
        label: ['Yes', 'No'][n],
        tokenId: ['111', '222'][n],
        payout,
      })),
    });
    expect(market).not.toHaveProperty('resolvedAt');
  });

  it('has the payout of YES where YES is not the first outcome, and when it was resolved', async () => {
    const closed = [gammaRecord({ ...CLOSED, outcomes: '["No", "Yes"]' })];
    const resolution = resolved([0, 1_000_000], { resolved_at: 1_795_000_000 });
    expect(await unlistedRig(stub, { closed, resolution }).market('ResolvedMarket')).toMatchObject({
      currentProbability: 100,
      clobTokenId: '222',
      resolvedAt: '2026-11-18T11:06:40.000Z',
      resolution: { payouts: [{ label: 'No', payout: 0 }, { payout: 1 }] },
    });
  });
});
