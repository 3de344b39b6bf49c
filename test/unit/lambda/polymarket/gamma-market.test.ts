import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';
import { gammaRecord } from '../../../support/gamma-record.ts';
import { readRecording, withRecordings } from '../../../support/recordings.ts';

function market(overrides: Readonly<Record<string, unknown>> = {}) {
  const record = readGammaMarket(gammaRecord(overrides));
  if (record.kind !== 'listable') throw new Error(`Not listable: ${JSON.stringify(record)}`);
  return record.market;
}

describe('a record of the catalogue', () => {
  it('becomes a market with the facts of the YES outcome', () => {
    expect(market()).toEqual({
      id: `0x${'ab'.repeat(32)}`,
      question: 'Will it rain in Zürich?',
      slug: 'will-it-rain-in-zurich',
      volume: 1106596.587114,
      liquidity: 12449.51305,
      endDate: '2026-12-31T12:00:00Z',
      yesTokenId: '111',
      outcomePrice: 0.054,
      volume24h: 524.92743,
      bestBid: 0.05,
      bestAsk: 0.058,
      spread: 0.008,
      lastTradePrice: 0.04,
      eventSlug: 'rain-in-zurich',
      eventTitle: 'Rain in Zürich',
      groupItemTitle: 'Zürich',
      negRisk: true,
      tags: ['weather'],
      outcomes: [
        { label: 'Yes', tokenId: '111', probability: 5.4 },
        { label: 'No', tokenId: '222', probability: 94.6 },
      ],
      image: 'https://upload.example/rain.jpg',
      createdAt: '2026-01-02T03:04:05.678901Z',
      minimumTickSize: 0.0025,
      protocolVersion: 'v1',
    });
  });

  it('takes "Yes" at any position and in any case, with its token and prices', () => {
    const turned = market({
      outcomes: '["No", " YES "]',
      outcomePrices: '["0.946", "0.054"]',
      lastTradePrice: 0.96,
    });
    expect(turned.yesTokenId).toBe('222');
    expect(turned.outcomePrice).toBe(0.054);
    expect(turned).toMatchObject({ lastTradePrice: 0.04, bestBid: 0.942, bestAsk: 0.95, spread: 0.008 });
  });

  it.each(['["Up", "Down"]', '["Over", "Under"]', '["Spurs", "Mavericks"]'])(
    'takes the first of %s',
    (outcomes) => {
      expect(market({ outcomes })).toMatchObject({ yesTokenId: '111', outcomePrice: 0.054 });
    },
  );

  it.each([
    ['volumeNum before volume', { volumeNum: 5, volume: '7' }, { volume: 5 }],
    ['volume where volumeNum is absent', { volumeNum: undefined, volume: '7.5' }, { volume: 7.5 }],
    ['0 where neither is there', { volumeNum: undefined, volume: undefined }, { volume: 0 }],
    ['0 for nonsense', { volumeNum: 'abc', volume: {} }, { volume: 0 }],
    [
      'a number without the zero before its point',
      { outcomePrices: '[".345", ".655"]' },
      { outcomePrice: 0.345 },
    ],
    ['liquidityNum before liquidity', { liquidityNum: 5, liquidity: '7' }, { liquidity: 5 }],
    ['liquidity where liquidityNum is absent', { liquidityNum: undefined, liquidity: '7' }, { liquidity: 7 }],
    ['a volumeNum of 0', { volumeNum: 0, volume: '7' }, { volume: 0 }],
    ['volume where volumeNum is below zero', { volumeNum: -1, volume: '7' }, { volume: 7 }],
    ['0 for an absent liquidity', { liquidityNum: undefined, liquidity: undefined }, { liquidity: 0 }],
  ])('reads %s', (_, overrides, expected) => {
    expect(market(overrides)).toMatchObject(expected);
  });

  it.each([
    ['as it is', '2025-12-31T12:00:00Z', '2025-12-31T12:00:00Z'],
    [
      'with nine fraction digits as it is',
      '2025-12-31T12:00:00.123456789Z',
      '2025-12-31T12:00:00.123456789Z',
    ],
    ['with an offset in UTC', '2025-12-31T12:00:00+02:00', '2025-12-31T10:00:00.000Z'],
    ['in the form with a space', '2026-06-04 00:34:19+00', '2026-06-04T00:34:19.000Z'],
    ['that is a bare date', '2026-06-04', '2026-06-04T00:00:00.000Z'],
    ['without a zone in UTC', '2026-06-04T10:00:00', '2026-06-04T10:00:00.000Z'],
  ])('keeps an end date %s', (_, endDate, expected) => {
    expect(market({ endDate }).endDate).toBe(expected);
  });

  it.each([
    undefined,
    null,
    '',
    'soon',
    '2026-13-45T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-30',
    '2026-06-04T24:00:00Z',
    17,
  ])('takes the end date of the event for %p', (endDate) => {
    expect(market({ endDate }).endDate).toBe('2027-01-01T00:00:00Z');
  });

  it('leaves an absent slug out', () => {
    expect(market({ slug: undefined })).not.toHaveProperty('slug');
  });

  it.each([
    ['the given spread', { spread: 0.2, bestBid: 0.1, bestAsk: 0.11 }, 0.2],
    ['ask minus bid where none is given', { spread: undefined, bestBid: 0.1, bestAsk: 0.3 }, 0.2],
    [
      'the ask alone where the bid is left out: an empty side',
      { spread: undefined, bestBid: undefined, bestAsk: 0.3 },
      0.3,
    ],
    ['unknown without an ask', { spread: undefined, bestAsk: undefined }, undefined],
    ['unknown for nonsense', { spread: [], bestAsk: 'x' }, undefined],
  ])('has as spread %s', (_, overrides, expected) => {
    const { spread } = market(overrides);
    if (expected === undefined) expect(spread).toBeUndefined();
    else expect(spread).toBeCloseTo(expected, 10);
  });

  it.each([undefined, null, 0, -0.1, 1.5, 'x', {}])('has no last trade at %p', (lastTradePrice) => {
    expect(market({ lastTradePrice }).lastTradePrice).toBeUndefined();
  });

  it.each([undefined, null, '', '[]', '[', '["x"]', 3])(
    'has no catalogue price for outcomePrices %p',
    (outcomePrices) => {
      expect(market({ outcomePrices }).outcomePrice).toBeUndefined();
    },
  );

  it('reads lists that are lists as well as lists that are strings', () => {
    expect(market({ outcomes: ['No', 'Yes'], clobTokenIds: ['1', '2'] }).yesTokenId).toBe('2');
  });

  it.each([
    ['closed', { closed: true }],
    ['archived', { archived: true }],
    ['without active', { active: undefined }],
    ['without an order book', { enableOrderBook: false }],
    ['with flags of other types', { active: 'true' }],
  ])('is inactive when %s', (_, overrides) => {
    expect(readGammaMarket(gammaRecord(overrides))).toEqual({ kind: 'inactive', id: `0x${'ab'.repeat(32)}` });
  });

  it.each([
    ['condition_id', { conditionId: undefined }],
    ['condition_id', { conditionId: '0x12' }],
    ['question', { question: '  ' }],
    ['outcomes', { outcomes: '["Yes", "No"' }],
    ['outcomes', { outcomes: undefined }],
    ['condition_id', { conditionId: `0x${'ab'.repeat(31)}a` }],
    ['outcomes', { outcomes: '["Yes", 2]' }],
    ['too_long', { question: 'x'.repeat(10_000) }],
    ['too_long', { tags: Array.from({ length: 1_000 }, (_, n) => ({ slug: `tag-number-${n}` })) }],
    ['end_date', { endDate: undefined, events: undefined }],
    ['end_date', { endDate: undefined, events: [{ endDate: null }, 'x', null] }],
  ])('is skipped because of its %s', (reason, overrides) => {
    expect(readGammaMarket(gammaRecord(overrides))).toMatchObject({ kind: 'skipped', reason });
  });

  it('may have 10,000 bytes of UTF-8', () => {
    const room = 10_000 - Buffer.byteLength(JSON.stringify(market({ question: 'ü' })));
    expect(market({ question: `ü${'x'.repeat(room)}` }).question).toHaveLength(room + 1);
    expect(readGammaMarket(gammaRecord({ question: `ü${'x'.repeat(room + 1)}` }))).toMatchObject({
      reason: 'too_long',
    });
  });

  it('that is inactive has no key where it has no condition id', () => {
    expect(readGammaMarket({ ...gammaRecord(), closed: true, conditionId: '0x12' })).toEqual({
      kind: 'inactive',
    });
  });

  it.each([null, undefined, 3, 'x', []])('is skipped when it is %p', (raw) => {
    expect(readGammaMarket(raw)).toEqual({ kind: 'skipped', reason: 'not_an_object' });
  });

  it('never throws, whatever the types', () => {
    const values = fc.dictionary(fc.constantFrom(...Object.keys(gammaRecord())), fc.anything());
    fc.assert(
      fc.property(values, (overrides) => {
        readGammaMarket(gammaRecord(overrides));
      }),
    );
  });

  it('turns half a surrogate pair into the replacement character, in every text', () => {
    const half = 'x\ud800y';
    const record = market({
      question: half,
      slug: half,
      groupItemTitle: half,
      outcomes: ['Yes', half],
      events: [{ title: half, slug: half }],
      tags: [{ slug: half }],
    });
    expect(JSON.stringify(record)).not.toContain('\\ud800');
    expect(record).toMatchObject({
      question: 'x\ufffdy',
      outcomes: [{ label: 'Yes' }, { label: 'x\ufffdy' }],
    });
  });

  it.each([
    ['an empty side', { bestBid: 0, bestAsk: 1, spread: 1 }, { spread: 1 }],
    [
      'a book that is crossed',
      { bestBid: 0.6, bestAsk: 0.5, spread: undefined },
      { bestBid: 0.6, bestAsk: 0.5 },
    ],
    [
      'an image of another scheme',
      { image: 'javascript:alert(1)' },
      { bestBid: 0.05, bestAsk: 0.058, spread: 0.008 },
    ],
  ])('leaves out what is none: %s', (_, overrides, expected) => {
    const { bestBid, bestAsk, spread, image } = market(overrides);
    expect({ bestBid, bestAsk, spread }).toEqual({
      bestBid: undefined,
      bestAsk: undefined,
      spread: undefined,
      ...expected,
    });
    expect(image?.startsWith('https://') ?? true).toBe(true);
  });

  it('gives prices of YES for two outcomes only, since of three nobody knows which the book is of', () => {
    const three = market({
      outcomes: '["No", "Maybe", "Yes"]',
      outcomePrices: '["0.5", "0.3", "0.2"]',
      clobTokenIds: '["1", "2", "3"]',
    });
    expect(three).toMatchObject({ yesTokenId: '3', outcomePrice: 0.2 });
    expect(three).not.toHaveProperty('bestBid');
    expect(three).not.toHaveProperty('lastTradePrice');
  });

  it('recognises one market under both forms of its condition id, and keeps the form it came in', () => {
    const short = `0x01${'AB'.repeat(30)}`;
    const [narrow, padded] = [short, `${short}00`].map((conditionId) =>
      readGammaMarket(gammaRecord({ conditionId })),
    );
    expect(narrow?.id).toBe(`0x01${'ab'.repeat(30)}00`);
    expect(padded?.id).toBe(narrow?.id);
    expect(narrow).toMatchObject({ market: { id: short } });
  });

  withRecordings('reads all recorded markets but those without any end date', () => {
    const records = readRecording<unknown[]>('gamma-markets.json').map(readGammaMarket);
    const kinds = Object.groupBy(records, ({ kind }) => kind);
    expect(kinds.listable).toHaveLength(796);
    expect(kinds.skipped?.map((record) => record.kind === 'skipped' && record.reason)).toEqual([
      'end_date',
      'end_date',
    ]);
  });
});
