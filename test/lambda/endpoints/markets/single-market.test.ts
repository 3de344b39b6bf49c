// GET /api/markets/{id}: a market of the list from the newest snapshot, or any other market from
// the upstream. Gamma has the market, CLOB the book of an open one, and the Data API the
// resolution.

import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { getMarket } from '../../../../lambda/endpoints/markets/single-market.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';
import { orderBook } from '../../../support/order-book.ts';
import { send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { CLOSED, ID, resolutionRow, type Upstreams, unlistedRig } from './unlisted-rig.ts';

/** The changes of a market without a history. */
const NO_CHANGES = {
  oneDayPriceChange: null,
  sevenDayPriceChange: null,
  thirtyDayPriceChange: null,
};

const stub = await startStubUpstream();

/** A market that is not in the list, from these responses of upstream. */
const unlisted = (upstreams: Upstreams) => unlistedRig(stub, upstreams).market('UnlistedMarket');
/** A market whose resolution is final. Its response has a schema of its own. */
const resolved = (upstreams: Upstreams) => unlistedRig(stub, upstreams).market('ResolvedMarket');

describe('a market of the list', () => {
  // The list shows 7-day changes of the first 20 markets only.
  const market = testMarket(30, {
    sevenDayPriceChange: 1,
    category: 'tech',
    url: 'https://polymarket.com/market/x',
  });
  const snapshot = loadedSnapshot([...testMarkets(30), market]);
  /** Takes the place of the look-up at upstream. */
  const lookup = async (name: string) => ({ status: 200, body: `unlisted ${name}`, headers: {} });
  const get = async (id: string, deps = snapshotDeps(snapshot)) =>
    await getMarket(deps, lookup)(endpointRequest('get-market', `/api/markets/${id}`, {}, { id }));

  it('has all its public fields', async () => {
    const { body, headers } = await get(market.slug ?? '');
    const { catalogue: _catalogue, categories: _categories, ...fields } = market;
    expect(JSON.parse(body)).toEqual({
      ...fields,
      pricedAt: '2026-11-21T12:00:00.000Z',
      status: 'active',
    });
    expect(headers['Cache-Control']).toContain('max-age=120');
  });

  it('is looked up at upstream if the newest snapshot does not have it', async () => {
    expect((await get('other')).body).toBe('unlisted other');
  });

  it('is not looked up while there is no snapshot', async () => {
    const stale = new ServiceError('snapshot_stale', 'The data is too old.');
    const snapshots = { latest: () => Promise.reject(stale), byId: () => Promise.reject(stale) };
    await expect(get('other', { snapshots, now: () => AS_OF })).rejects.toBe(stale);
  });
});

describe('an open market that is not in the list', () => {
  it('has the price of its book', async () => {
    const book = send(orderBook(['0.6', '0.61'], ['0.7', '0.63'], { last_trade_price: '0.5' }));
    // The best bid is 0.61, and the best ask is 0.63.
    expect(await unlisted({ open: [gammaRecord()], book })).toMatchObject({
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
      outcomes: [
        { label: 'Yes', tokenId: '111', probability: 62 },
        { label: 'No', tokenId: '222', probability: 38 },
      ],
    });
  });

  it('has no changes, because the service reads no history for it', async () => {
    const { market, called } = unlistedRig(stub, { open: [gammaRecord()] });
    expect(await market('UnlistedMarket')).toMatchObject(NO_CHANGES);
    expect(called('/book')).toEqual(['/book?token_id=111']);
    expect(called('/v2')).toEqual([]);
  });

  it('with a wide book has the price of the last trade, moved to the nearest side', async () => {
    const book = send(orderBook(['0.2'], ['0.9'], { last_trade_price: '0.95' }));
    const market = await unlisted({ open: [gammaRecord()], book });
    expect(market.currentProbability).toBe(90);
  });

  it('with one side and no trade has no price, but its quote', async () => {
    const book = send(orderBook(['0.2'], [], { last_trade_price: '' }));
    const market = await unlisted({ open: [gammaRecord({ lastTradePrice: 0.04 })], book });
    expect(market).toMatchObject({ bestBid: 0.2, spread: 0.8, lastTradePrice: 0.04 });
    for (const name of ['currentProbability', 'priceSource', 'pricedAt'])
      expect(market).not.toHaveProperty(name);
  });

  it('without a book and without volume has the price of Gamma', async () => {
    const record = gammaRecord({
      outcomePrices: '["0.054", "0.946"]',
      volume: undefined,
      volumeNum: undefined,
      lastTradePrice: undefined,
    });
    expect((await unlisted({ open: [record] })).currentProbability).toBe(5.4);
  });
});

describe('a closed market', () => {
  it.each([
    ['a proposed resolution', { status: 'proposed', proposed_price: '1000000000000000000' }],
    ['a disputed resolution', { status: 'disputed', payouts: [1_000_000, 0] }],
    ['no payouts', { status: 'resolved' }],
    ['payouts of three outcomes', { status: 'resolved', payouts: [1_000_000, 0, 0] }],
  ])('with %s is not resolved, even with a price near 1', async (_, row) => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.999 })];
    expect(await unlisted({ closed, resolution: resolutionRow(row) })).toMatchObject({
      status: 'closed',
      closedAt: '2026-11-20T10:00:00.000Z',
      resolution: { status: row.status },
      ...NO_CHANGES,
      currentProbability: 99.9,
      lastTradePrice: 0.999,
      outcomes: [{ probability: 99.9 }, { probability: 0.1 }],
    });
  });

  it('without a resolution in the Data API has the status of Gamma', async () => {
    const record = gammaRecord({ ...CLOSED, umaResolutionStatus: 'proposed' });
    const market = await unlisted({ closed: [record], resolution: send({ data: [] }) });
    expect(market).toMatchObject({ status: 'closed', resolution: { status: 'proposed' } });
  });

  it('without a resolution in either API has none', async () => {
    const market = await unlisted({
      closed: [gammaRecord(CLOSED)],
      resolution: send({ data: [] }),
    });
    expect(market).not.toHaveProperty('resolution');
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

// A token pays between 0 and 1 USD. Upstream has payouts in millionths of a dollar.
describe('a resolved market', () => {
  it.each([
    { millionths: [1_000_000, 0], probability: 100, payouts: [1, 0] },
    { millionths: [0, 1_000_000], probability: 0, payouts: [0, 1] },
    { millionths: [500_000, 500_000], probability: 50, payouts: [0.5, 0.5] },
    { millionths: [333_333, 666_667], probability: 33.333, payouts: [0.333333, 0.666667] },
  ])('that pays $payouts USD has the probability $probability', async (row) => {
    const { millionths, probability, payouts } = row;
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.6 })];
    const resolution = resolutionRow({ status: 'resolved', payouts: millionths });
    const market = await resolved({ closed, resolution });
    expect(market).toMatchObject({
      status: 'resolved',
      currentProbability: probability,
      ...NO_CHANGES,
    });
    expect(market.resolution).toEqual({
      status: 'resolved',
      payouts: [
        { label: 'Yes', tokenId: '111', payout: payouts[0] },
        { label: 'No', tokenId: '222', payout: payouts[1] },
      ],
    });
  });

  it('has the payout of YES even if YES is the second outcome', async () => {
    const closed = [gammaRecord({ ...CLOSED, outcomes: '["No", "Yes"]' })];
    const resolution = resolutionRow({ status: 'resolved', payouts: [0, 1_000_000] });
    expect(await resolved({ closed, resolution })).toMatchObject({
      currentProbability: 100,
      clobTokenId: '222',
      resolution: {
        payouts: [
          { label: 'No', payout: 0 },
          { label: 'Yes', payout: 1 },
        ],
      },
    });
  });

  it.each([
    ['the time of its resolution', { resolved_at: 1_795_000_000 }, '2026-11-18T11:06:40.000Z'],
    ['no time of its resolution if upstream has none', {}, undefined],
  ])('has %s', async (_, fields, resolvedAt) => {
    const closed = [gammaRecord(CLOSED)];
    const row = { status: 'resolved', payouts: [1_000_000, 0], ...fields };
    const market = await resolved({ closed, resolution: resolutionRow(row) });
    expect(market.resolvedAt).toBe(resolvedAt);
  });
});
