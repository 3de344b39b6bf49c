import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readGammaMarket } from '../../../../lambda/io/polymarket/gamma-market.ts';
import everyField from '../../../support/gamma-market-fields.json' with { type: 'json' };
import { gammaRecord } from '../../../support/gamma-record.ts';

// Gamma is Polymarket's API for its catalogue of markets. `readGammaMarket` reads one of its
// records, and returns a market, or why the record cannot be listed. Each test changes some fields
// of the record `gammaRecord()`, whose first outcome is YES with the token 111 and a bid of 0.05.

type Overrides = Readonly<Record<string, unknown>>;

const ID = `0x${'ab'.repeat(32)}`;

/** The market of a record with some fields changed. */
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

  it('can be listed if it has every field that a real record has', () => {
    expect(readGammaMarket(everyField.market)).toMatchObject({ kind: 'listable' });
  });

  it('says when it has no readable volume, which then counts as 0', () => {
    const record = gammaRecord({ volume: undefined, volumeNum: undefined });
    expect(readGammaMarket(record)).toMatchObject({
      kind: 'listable',
      lacksVolume: true,
      market: { volume: 0 },
    });
    expect(readGammaMarket({ ...record, volume: '0' })).not.toHaveProperty('lacksVolume');
  });

  it('takes "Yes" at any position and in any case, with its token and prices [sentences 13, 18]', () => {
    const outcomes = ['No', ' YES '];
    const overrides = { outcomes, outcomePrices: ['0.946', '0.054'], lastTradePrice: 0.96 };
    // The bid of 0.05, the ask of 0.058 and the last trade are those of "No", the first outcome.
    // The prices of "Yes" are 1 - 0.058, 1 - 0.05 and 1 - 0.96.
    expect(market(overrides)).toMatchObject({
      clobTokenId: '222',
      catalogue: { bid: 0.942, ask: 0.95, lastTrade: 0.04, outcome: 0.054 },
    });
  });

  // Markets of Protocol V2 have position ids in place of tokens.
  it('takes "Yes" of a v2 market with its position id and prices', () => {
    const v2 = { version: 'v2', positionIds: ['333', '444'] };
    expect(market(v2)).toMatchObject({
      clobTokenId: '333',
      protocolVersion: 'v2',
      catalogue: { bid: 0.05 },
    });
  });

  it.each([
    {
      has: 'volumeNum before volume',
      changed: { volumeNum: 5, volume: '7' },
      fields: { volume: 5 },
    },
    {
      has: 'volume where volumeNum is absent',
      changed: { volumeNum: undefined, volume: '7.5' },
      fields: { volume: 7.5 },
    },
    {
      has: 'liquidityNum before liquidity',
      changed: { liquidityNum: 5, liquidity: '7' },
      fields: { liquidity: 5 },
    },
    {
      has: 'the liquidity 0 if it is absent',
      changed: { liquidityNum: undefined, liquidity: undefined },
      fields: { liquidity: 0 },
    },
    {
      has: 'a volume of the day of zero',
      changed: { volume24hr: 0 },
      fields: { volume24h: 0 },
    },
    {
      has: 'negRisk false as false, not as absent',
      changed: { negRisk: false },
      fields: { negRisk: false },
    },
    {
      has: 'the end date of its event if its own cannot be read',
      changed: { endDate: 'soon' },
      fields: { endDate: '2027-01-01T00:00:00.000Z' },
    },
    {
      has: 'the image before the icon',
      changed: { icon: 'https://x.example/b' },
      fields: { image: 'https://upload.example/rain.jpg' },
    },
    {
      has: 'the icon for a bad image',
      changed: { image: 'a.jpg', icon: 'HTTPS://x.example/b' },
      fields: { image: 'HTTPS://x.example/b' },
    },
    {
      has: 'slug and title, each of the first event that has it',
      changed: { events: [{ slug: ' ', title: 'A' }, { slug: 'b', title: 'B' }, { slug: 'c' }] },
      fields: { eventSlug: 'b', eventTitle: 'A' },
    },
    {
      has: 'the first of outcomes without "Yes" [sentence 13]',
      changed: { outcomes: ['Up', 'Down'] },
      fields: { clobTokenId: '111', outcome: 'Up' },
    },
    {
      has: 'tags with a slug only',
      changed: { tags: [{ label: 'A' }, null, 'b', { slug: '' }, { slug: 'c' }] },
      fields: { tags: ['c'] },
    },
  ])('has $has', ({ changed, fields }) => {
    expect(market(changed)).toMatchObject(fields);
  });

  it.each([
    {
      what: 'without a slug is that of its event',
      changed: { slug: undefined },
      path: 'event/rain-in-zurich',
    },
    {
      what: 'without an event is that of its slug',
      changed: { events: [] },
      path: 'market/will-it-rain-in-zurich',
    },
    {
      what: 'is escaped',
      changed: { slug: 'a/b?', events: [{ slug: 'ü' }] },
      path: 'event/%C3%BC/a%2Fb%3F',
    },
  ])('has a page at Polymarket, which $what', ({ changed, path }) => {
    expect(market(changed).url).toBe(`https://polymarket.com/${path}`);
  });

  it.each([
    // The first two are absent in the record itself.
    { field: 'outcome', changed: {} },
    { field: 'category', changed: {} },
    { field: 'slug', changed: { slug: undefined } },
    { field: 'url', changed: { slug: undefined, events: [{ title: 'x' }] } },
    { field: 'eventTitle', changed: { events: [{ title: 3 }] } },
    { field: 'volume24h', changed: { volume24hr: -1 } },
    { field: 'groupItemTitle', changed: { groupItemTitle: ' ' } },
    { field: 'negRisk', changed: { negRisk: 'true' } },
    { field: 'createdAt', changed: { createdAt: 'yesterday' } },
    { field: 'minimumTickSize', changed: { orderPriceMinTickSize: 0 } },
    { field: 'image', changed: { image: 'javascript:alert(1)//https://x' } },
    { field: 'image', changed: { image: 'httpx://x.example', icon: 'https:/x' } },
  ])('has no $field if the record has none that is usable: $changed', ({ field, changed }) => {
    expect(market(changed)).not.toHaveProperty(field);
  });

  it('belongs to the categories of its question and tags, of which the first is shown', () => {
    const overrides = { question: 'Will Bitcoin decide the election?', tags: [{ slug: 'crypto' }] };
    expect(market(overrides)).toMatchObject({
      categories: ['election', 'crypto'],
      category: 'election',
    });
  });

  // Ids of conditions have 32 bytes, of which Gamma leaves out the last one if it is zero.
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
  it.each([{ closed: true }, { archived: true }, { active: 'true' }])(
    'is inactive if it is not open: %j',
    (flags) => {
      expect(readGammaMarket(gammaRecord(flags))).toEqual({ kind: 'inactive', id: ID });
      const withoutId = gammaRecord({ ...flags, conditionId: '0x12' });
      expect(readGammaMarket(withoutId)).toEqual({ kind: 'inactive' });
    },
  );

  it.each([
    { reason: 'no_order_book', changed: { enableOrderBook: false } },
    { reason: 'condition_id', changed: { conditionId: undefined } },
    { reason: 'condition_id', changed: { conditionId: '0x12' } },
    { reason: 'question', changed: { question: '  ' } },
    { reason: 'outcomes', changed: { outcomes: undefined } },
    { reason: 'outcomes', changed: { outcomes: '["Yes", 2]' } },
    { reason: 'outcomes', changed: { outcomes: '[]' } },
    { reason: 'end_date', changed: { endDate: undefined, events: undefined } },
    {
      reason: 'end_date',
      changed: { endDate: undefined, events: [{ endDate: null }, 'x', null] },
    },
  ])('is skipped for the reason $reason: $changed', ({ reason, changed }) => {
    expect(readGammaMarket(gammaRecord(changed))).toMatchObject({ kind: 'skipped', reason });
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
