import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SCHEMAS } from '../../../../lambda/core/contract/schemas.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { getMarket, unlistedMarkets } from '../../../../lambda/endpoints/markets/single-market.ts';
import { endpointRequest, snapshotDeps } from '../../../support/endpoint-request.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { AS_OF, loadedSnapshot, testMarket, testMarkets } from '../../../support/markets.ts';
import { orderBook } from '../../../support/order-book.ts';
import { outcome } from '../../../support/outcome.ts';
import { type Reply, send, startStubUpstream } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

/** The names of the market that `gammaRecord()` makes. */
const ID = `0x${'ab'.repeat(32)}`;
const TOKEN = '111';
const SLUG = 'will-it-rain-in-zurich';
/** A record of a protocol version that the service does not support. */
const V3 = gammaRecord({ version: 'v3' });
const CLOSED = { closed: true, closedTime: '2026-11-20 10:00:00+00' };
const NO_CHANGES = {
  oneDayPriceChange: null,
  sevenDayPriceChange: null,
  thirtyDayPriceChange: null,
};

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'api', components: { schemas: SCHEMAS } });

const stub = await startStubUpstream();

interface Upstreams {
  /** Open and closed records of Gamma. */
  open?: readonly unknown[] | Reply;
  closed?: readonly unknown[] | Reply;
  book?: Reply;
  resolution?: Reply;
}

/** The resolution of the market. Payouts are in millionths of a dollar. */
const row = (fields: Readonly<Record<string, unknown>>) =>
  send({ data: [{ condition_id: ID, ...fields }] });

/** The lookup of markets that are not in the list, over upstreams that have these records. */
function rig({
  open = [],
  closed = [],
  book = send({ error: 'No orderbook' }, 404),
  resolution = row({}),
}: Upstreams) {
  const catalogue = (records: readonly unknown[] | Reply) =>
    typeof records === 'function' ? records : send({ markets: records });
  stub.reply((response, request) => {
    const { pathname, searchParams } = new URL(request.url, stub.url);
    const routes: Readonly<Record<string, Reply>> = {
      '/markets/keyset': catalogue(searchParams.get('closed') === 'true' ? closed : open),
      '/book': book,
      '/v2/resolutions': resolution,
    };
    routes[pathname]?.(response, request);
  });
  const deps = liveRig(stub.url);
  const find = unlistedMarkets(deps);
  const get = async (name = SLUG, headers = {}) => await find(name, headers);
  /** The market, which must be as its schema says. */
  const market = async (schema: 'UnlistedMarket' | 'ResolvedMarket', name?: string) => {
    const found: Record<string, unknown> = JSON.parse((await get(name)).body);
    const validate = ajv.getSchema(`api#/components/schemas/${schema}`);
    expect(validate?.(found)).toBe(true);
    expect(validate?.errors).toBeNull();
    return found;
  };
  const called = (path: string) => stub.urls.filter((url) => url.startsWith(path));
  return { clock: deps.clock, get, market, called };
}

describe('a market of the list', () => {
  const market = testMarket(30, {
    sevenDayPriceChange: 1,
    category: 'tech',
    url: 'https://polymarket.com/market/x',
  });
  const snapshot = loadedSnapshot([...testMarkets(30), market]);
  const unlisted = async (name: string) => ({ status: 200, body: `unlisted ${name}`, headers: {} });
  const call = async (id: string, deps = snapshotDeps(snapshot)) =>
    await getMarket(
      deps,
      unlisted,
    )(endpointRequest('get-market', `/api/markets/${id}`, {}, { id }));

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
    const { market, called } = rig({ open: [gammaRecord()], book });
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
    const { market } = rig({ open: [gammaRecord()], book: send(book) });
    expect((await market('UnlistedMarket')).currentProbability).toBe(probability);
  });

  it('has its sides also without a price', async () => {
    const book = send(orderBook(['0.2'], [], { last_trade_price: '' }));
    const market = await rig({ open: [gammaRecord()], book }).market('UnlistedMarket');
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
    expect((await rig({ open: [record] }).market('UnlistedMarket')).currentProbability).toBe(5.4);
  });
});

describe('a closed market', () => {
  it.each([
    ['proposed', row({ status: 'proposed', proposed_price: '1000000000000000000' }), 'proposed'],
    ['disputed', row({ status: 'disputed', payouts: [1_000_000, 0] }), 'disputed'],
    ['said to be resolved without payouts', row({ status: 'resolved' }), 'resolved'],
    [
      'resolved with other outcomes',
      row({ status: 'resolved', payouts: [1_000_000, 0, 0] }),
      'resolved',
    ],
  ])('%s is closed, also with a price near 1', async (_, resolution, status) => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.999 })];
    expect(await rig({ closed, resolution }).market('UnlistedMarket')).toMatchObject({
      status: 'closed',
      closedAt: '2026-11-20T10:00:00.000Z',
      resolution: { status },
      ...NO_CHANGES,
      currentProbability: 99.9,
      lastTradePrice: 0.999,
      outcomes: [{ probability: 99.9 }, { probability: 0.1 }],
    });
  });

  it("has the catalogue's word without a resolution, and no price without a trade", async () => {
    const record = gammaRecord({
      ...CLOSED,
      umaResolutionStatus: 'proposed',
      lastTradePrice: undefined,
    });
    const market = await rig({ closed: [record], resolution: send({ data: [] }) }).market(
      'UnlistedMarket',
    );
    expect(market).toMatchObject({ status: 'closed', resolution: { status: 'proposed' } });
    expect(market).not.toHaveProperty('currentProbability');
    const silent = rig({ closed: [gammaRecord(CLOSED)], resolution: send({ data: [] }) });
    expect(await silent.market('UnlistedMarket')).not.toHaveProperty('resolution');
  });

  it('without a planned end ends when it was closed', async () => {
    const record = gammaRecord({ ...CLOSED, endDate: undefined, events: undefined });
    const { endDate } = await rig({ closed: [record], resolution: send({ data: [] }) }).market(
      'UnlistedMarket',
    );
    expect(endDate).toBe('2026-11-20T10:00:00.000Z');
  });
});

describe('a resolved market', () => {
  const resolved = (payouts: readonly number[], fields = {}) =>
    row({ status: 'resolved', payouts, ...fields });

  it.each([
    [[1_000_000, 0], 100, [1, 0]],
    [[0, 1_000_000], 0, [0, 1]],
    [[500_000, 500_000], 50, [0.5, 0.5]],
    [[333_333, 666_667], 33.333, [0.333333, 0.666667]],
  ])('with the payouts %j has the probability %p', async (millionths, probability, payouts) => {
    const closed = [gammaRecord({ ...CLOSED, lastTradePrice: 0.6 })];
    const market = await rig({ closed, resolution: resolved(millionths) }).market('ResolvedMarket');
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
    expect(await rig({ closed, resolution }).market('ResolvedMarket')).toMatchObject({
      currentProbability: 100,
      clobTokenId: '222',
      resolvedAt: '2026-11-18T11:06:40.000Z',
      resolution: { payouts: [{ label: 'No', payout: 0 }, { payout: 1 }] },
    });
  });
});

describe('the lookup', () => {
  const v2 = `0x01${'9c'.repeat(15)}${'00'.repeat(15)}`;
  const position = String(BigInt(`${v2}01`));

  it.each([
    ['a slug', SLUG, 'slug=will-it-rain-in-zurich'],
    ['a condition id', ID.toUpperCase(), `condition_ids=${ID}`],
    ['a token', `00${TOKEN}`, 'clob_token_ids=111'],
    ['any token', '222', 'clob_token_ids=222'],
  ])('by %s requests open and closed markets', async (_, name, query) => {
    const { market } = rig({ open: [gammaRecord()] });
    expect((await market('UnlistedMarket', name)).id).toBe(ID);
    const urls = [false, true].map(
      (closed) => `/markets/keyset?closed=${closed}&include_tag=true&${query}`,
    );
    expect(stub.urls.filter((url) => url.startsWith('/markets')).toSorted()).toEqual(urls);
  });

  it('of Protocol V2 requests both forms of a condition id, and position ids', async () => {
    const positionIds = [String(BigInt(`${v2}00`)), position];
    const ids = { version: 'v2', conditionId: v2, clobTokenIds: null, positionIds };
    for (const name of [v2, `${v2}00`, position]) {
      const { market } = rig({ open: [gammaRecord(ids)] });
      expect((await market('UnlistedMarket', name)).id).toBe(v2);
      const query = name === position ? `position_ids=${position}` : `condition_ids=${v2}`;
      expect(stub.urls[0]).toContain(query);
      if (name !== position) expect(stub.urls[0]).toContain(`condition_ids=${v2}00`);
    }
  });

  it('is a 404 for a market that upstream does not know, also if it sends others', async () => {
    for (const open of [
      [],
      [gammaRecord({ slug: 'other', conditionId: `0x${'cd'.repeat(32)}` })],
    ]) {
      expect(await outcome(rig({ open }).get())).toMatchObject({ code: 'no_market' });
    }
  });

  it.each<[string, Upstreams]>([
    ['one of the two calls fails', { open: send('', 500) }],
    ['the record has no condition id', { open: [gammaRecord({ conditionId: undefined })] }],
    [
      'the open record cannot be read, and the other call fails',
      { open: [V3], closed: send('', 500) },
    ],
    ['the resolution cannot be read', { closed: [gammaRecord(CLOSED)], resolution: send('', 500) }],
    ['the book cannot be read', { open: [gammaRecord()], book: send('', 500) }],
  ])('is a 502 if %s', async (_, upstreams) => {
    expect(await outcome(rig(upstreams).get())).toMatchObject({ code: 'upstream_unavailable' });
  });

  it('is a 404 with the reason, for a minute, for a market that the service cannot read', async () => {
    const { clock, get, called } = rig({ open: [V3] });
    const message = 'Polymarket has this market, but the service cannot read it (version_unknown).';
    expect(await outcome(get())).toMatchObject({ code: 'no_market', message });
    await clock.advance(60_000);
    expect(await outcome(get())).toMatchObject({ code: 'no_market', message });
    expect(called('/markets')).toHaveLength(2);
  });

  it('finds a market although the other call fails', async () => {
    const closed = [gammaRecord(CLOSED)];
    const resolution = row({ status: 'proposed' });
    expect(
      (await rig({ open: send('', 500), closed, resolution }).market('UnlistedMarket')).status,
    ).toBe('closed');
  });

  it('is kept for a minute, for a day once the market is resolved', async () => {
    const cases: [Upstreams, number][] = [
      [{ open: [gammaRecord()] }, 60],
      [{ closed: [gammaRecord(CLOSED)], resolution: row({ status: 'proposed' }) }, 60],
      [{}, 60],
      [
        {
          closed: [gammaRecord(CLOSED)],
          resolution: row({ status: 'resolved', payouts: [1_000_000, 0] }),
        },
        86_400,
      ],
    ];
    for (const [upstreams, seconds] of cases) {
      const { clock, get, called } = rig(upstreams);
      const first = (await outcome(get(ID))) as { headers?: Record<string, string> };
      if (first.headers) expect(first.headers['Cache-Control']).toContain(`max-age=${seconds},`);
      await clock.advance(seconds * 1_000);
      await outcome(get(`0x${ID.slice(2).toUpperCase()}`));
      expect(called('/markets')).toHaveLength(2);
      await clock.advance(1);
      await outcome(get(ID));
      expect(called('/markets')).toHaveLength(4);
    }
  });
});
