import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readGammaMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import shapes from '../../../support/upstream-shapes.json' with { type: 'json' };

type Overrides = Readonly<Record<string, unknown>>;

const ID = `0x${'ab'.repeat(32)}`;
const PAGES = 'https://polymarket.com';

/** The market of a record like `gammaRecord()`, whose outcome 0 is YES with a bid of 0.05. */
function market(overrides: Overrides = {}) {
  const record = readGammaMarket(gammaRecord(overrides));
  if (record.kind !== 'listable') throw new Error(`Not listable: ${JSON.stringify(record)}`);
  return record.market;
}

describe('a record of the catalogue', () => {
  it('becomes a market with the prices of YES [sentences 12, 14, 17]', () => {
    expect(market()).toEqual({
      id: ID,
      question: 'Will it rain in Zürich?',
      slug: 'will-it-rain-in-zurich',
      volume: 1106596.587114,
      liquidity: 12449.51305,
      endDate: '2026-12-31T12:00:00.000Z',
      clobTokenId: '111',
      catalogue: { bid: 0.05, ask: 0.058, lastTrade: 0.04, outcome: 0.054 },
      volume24h: 524.92743,
      eventSlug: 'rain-in-zurich',
      eventTitle: 'Rain in Zürich',
      groupItemTitle: 'Zürich',
      negRisk: true,
      categories: [],
      tags: ['weather'],
      url: 'https://polymarket.com/event/rain-in-zurich/will-it-rain-in-zurich',
      outcomes: [
        { label: 'Yes', tokenId: '111' },
        { label: 'No', tokenId: '222' },
      ],
      image: 'https://upload.example/rain.jpg',
      createdAt: '2026-01-02T03:04:05.678Z',
      minimumTickSize: 0.0025,
      protocolVersion: 'v1',
    });
  });

  it('says when it has no readable volume, which then counts as 0', () => {
    const { volume: _, volumeNum: __, ...record } = shapes.market;
    expect(readGammaMarket(record)).toMatchObject({
      kind: 'listable',
      lacksVolume: true,
      market: { volume: 0 },
    });
    expect(readGammaMarket({ ...record, volume: '0' })).not.toHaveProperty('lacksVolume');
  });

  it('can be listed if it has every field of upstream', () => {
    expect(readGammaMarket(shapes.market)).toMatchObject({ kind: 'listable' });
  });

  it('takes "Yes" at any position and in any case, with its token and prices [sentences 13, 18]', () => {
    const outcomes = ['No', ' YES '];
    const overrides = { outcomes, outcomePrices: ['0.946', '0.054'], lastTradePrice: 0.96 };
    expect(market(overrides)).toMatchObject({
      clobTokenId: '222',
      // Upstream's bid of 0.05 and ask of 0.058 are those of "No".
      catalogue: { bid: 0.942, ask: 0.95, lastTrade: 0.04, outcome: 0.054 },
    });
  });

  it('takes "Yes" of a v2 market with its position id and prices', () => {
    const v2 = { version: 'v2', positionIds: ['333', '444'] };
    expect(market(v2)).toMatchObject({
      clobTokenId: '333',
      protocolVersion: 'v2',
      catalogue: { bid: 0.05 },
    });
    expect(market({ ...v2, outcomes: ['No', 'Yes'] })).toMatchObject({
      clobTokenId: '444',
      catalogue: { bid: 0.942 },
    });
  });

  it.each<[string, Overrides, Overrides]>([
    ['volumeNum before volume', { volumeNum: 5, volume: '7' }, { volume: 5 }],
    ['volume where volumeNum is absent', { volumeNum: undefined, volume: '7.5' }, { volume: 7.5 }],
    ['0 for nonsense', { volumeNum: 'abc', volume: {} }, { volume: 0 }],
    ['liquidityNum before liquidity', { liquidityNum: 5, liquidity: '7' }, { liquidity: 5 }],
    [
      '0 for an absent liquidity',
      { liquidityNum: undefined, liquidity: undefined },
      { liquidity: 0 },
    ],
    ['a volume of the day of zero', { volume24hr: 0 }, { volume24h: 0 }],
    ['negRisk false as false, not as absent', { negRisk: false }, { negRisk: false }],
    [
      'the end date of the event for an unreadable one',
      { endDate: 'soon' },
      { endDate: '2027-01-01T00:00:00.000Z' },
    ],
    [
      'the image before the icon',
      { icon: 'https://x.example/b' },
      { image: 'https://upload.example/rain.jpg' },
    ],
    [
      'the icon for a bad image',
      { image: 'a.jpg', icon: 'HTTPS://x.example/b' },
      { image: 'HTTPS://x.example/b' },
    ],
    [
      'slug and title, each of the first event that has it',
      { events: [{ slug: ' ', title: 'Rain' }, { slug: 'sun', title: 'Sun' }, { slug: 'snow' }] },
      { eventSlug: 'sun', eventTitle: 'Rain' },
    ],
    [
      'the first of outcomes without "Yes" [sentence 13]',
      { outcomes: ['Up', 'Down'] },
      { clobTokenId: '111', outcome: 'Up' },
    ],
    [
      'the page of its event without a slug',
      { slug: undefined },
      { url: `${PAGES}/event/rain-in-zurich` },
    ],
    [
      'the page of its slug without an event',
      { events: [] },
      { url: `${PAGES}/market/will-it-rain-in-zurich` },
    ],
    [
      'an escaped page',
      { slug: 'a/b?', events: [{ slug: 'ü' }] },
      { url: `${PAGES}/event/%C3%BC/a%2Fb%3F` },
    ],
    [
      'tags with a slug only',
      { tags: [{ label: 'A' }, null, 'b', { slug: '' }, { slug: 'c' }] },
      { tags: ['c'] },
    ],
  ])('has %s', (_, overrides, expected) => {
    expect(market(overrides)).toMatchObject(expected);
  });

  it.each<[string, Overrides]>([
    ['outcome', {}],
    ['category', {}],
    ['slug', { slug: undefined }],
    ['url', { slug: undefined, events: [{ title: 'x' }] }],
    ['eventTitle', { events: [{ title: 3 }] }],
    ['volume24h', { volume24hr: -1 }],
    ['groupItemTitle', { groupItemTitle: ' ' }],
    ['negRisk', { negRisk: 'true' }],
    ['createdAt', { createdAt: 'yesterday' }],
    ['minimumTickSize', { orderPriceMinTickSize: 0 }],
    ['image', { image: 'javascript:alert(1)//https://x' }],
    ['image', { image: 'httpx://x.example', icon: 'https:/x' }],
  ])('has no %s if that is unknown: %j', (field, overrides) => {
    expect(market(overrides)).not.toHaveProperty(field);
  });

  it('belongs to the categories of its question and tags, of which the first is shown', () => {
    const overrides = { question: 'Will Bitcoin decide the election?', tags: [{ slug: 'crypto' }] };
    expect(market(overrides)).toMatchObject({
      categories: ['election', 'crypto'],
      category: 'election',
    });
  });

  it('has one id for 62 and 64 hex digits, and keeps the form of upstream [sentence 11]', () => {
    const short = `0x01${'AB'.repeat(30)}`;
    const records = [short, `${short}00`].map((conditionId) =>
      readGammaMarket(gammaRecord({ conditionId })),
    );
    expect(records.map(({ id }) => id)).toEqual(Array(2).fill(`0x01${'ab'.repeat(30)}00`));
    expect(records[0]).toMatchObject({ market: { id: short } });
  });
});

describe('a record that cannot be listed', () => {
  it.each([
    ['closed', { closed: true }],
    ['archived', { archived: true }],
    ['with flags of other types', { active: 'true' }],
  ])('is inactive when %s', (_, overrides) => {
    expect(readGammaMarket(gammaRecord(overrides))).toEqual({ kind: 'inactive', id: ID });
    const withoutId = gammaRecord({ ...overrides, conditionId: '0x12' });
    expect(readGammaMarket(withoutId)).toEqual({ kind: 'inactive' });
  });

  it.each([
    ['no_order_book', { enableOrderBook: false }],
    ['condition_id', { conditionId: undefined }],
    ['condition_id', { conditionId: '0x12' }],
    ['question', { question: '  ' }],
    ['outcomes', { outcomes: undefined }],
    ['outcomes', { outcomes: '["Yes", 2]' }],
    ['outcomes', { outcomes: '[]' }],
    ['end_date', { endDate: undefined, events: undefined }],
    ['end_date', { endDate: undefined, events: [{ endDate: null }, 'x', null] }],
  ])('is skipped because of its %s', (reason, overrides) => {
    expect(readGammaMarket(gammaRecord(overrides))).toMatchObject({ kind: 'skipped', reason });
  });

  it('is skipped because of an unsupported version, which is reported', () => {
    const skipped = { kind: 'skipped', id: ID, reason: 'version_unknown', version: 'v3' };
    expect(readGammaMarket(gammaRecord({ version: 'v3' }))).toEqual(skipped);
  });

  it('is skipped when it is no object', () => {
    expect(readGammaMarket([])).toEqual({ kind: 'skipped', reason: 'not_an_object' });
  });

  it('is skipped when it has more than 10,000 bytes of UTF-8', () => {
    // The limit is that of the whole market as JSON; a long question exceeds it here. The character
    // "ü" has two bytes.
    const freeBytes = 10_000 - Buffer.byteLength(JSON.stringify(market({ question: 'ü' })));
    const longest = `ü${'x'.repeat(freeBytes)}`;
    expect(market({ question: longest }).question).toBe(longest);
    const longer = readGammaMarket(gammaRecord({ question: `${longest}x` }));
    expect(longer).toMatchObject({ kind: 'skipped', reason: 'too_long' });
  });

  it('never throws, whatever the types', () => {
    const values = fc.dictionary(fc.constantFrom(...Object.keys(gammaRecord())), fc.anything());
    fc.assert(
      fc.property(values, (overrides) => {
        readGammaMarket(gammaRecord(overrides));
      }),
    );
  });
});
