import { describe, expect, it } from '@jest/globals';
import { readDetails, type WireOutcomes } from '../../../../lambda/polymarket/gamma-details.ts';
import type { WireObject } from '../../../../lambda/polymarket/json-values.ts';

const OUTCOMES: WireOutcomes = {
  labels: ['Yes', 'No'],
  yes: 0,
  prices: [0.054, 0.946],
  ids: { kind: 'ids', version: 'v1', tokenIds: ['111', '222'] },
};
const TURNED: WireOutcomes = { ...OUTCOMES, labels: ['No', 'Yes'], yes: 1 };

function details(record: WireObject, outcomes = OUTCOMES, events: readonly WireObject[] = []) {
  return readDetails(record, events, outcomes);
}

describe('the details of a market', () => {
  it('are left out where nothing is known, but for what every market has', () => {
    expect(details({})).toEqual({
      tags: [],
      outcomes: [
        { label: 'Yes', tokenId: '111', probability: 5.4 },
        { label: 'No', tokenId: '222', probability: 94.6 },
      ],
      protocolVersion: 'v1',
    });
    expect(details({ spread: -1 }, TURNED)).toEqual(details({}, TURNED));
  });

  it.each([
    ['a volume', { volume24hr: '524.9' }, { volume24h: 524.9 }],
    ['a volume of zero', { volume24hr: 0 }, { volume24h: 0 }],
    ['no volume below zero', { volume24hr: -1 }, {}],
    ['a short name', { groupItemTitle: 'Zürich' }, { groupItemTitle: 'Zürich' }],
    ['no empty short name', { groupItemTitle: ' ' }, {}],
    ['negative risk', { negRisk: true }, { negRisk: true }],
    ['none', { negRisk: false }, { negRisk: false }],
    ['no risk that is a text', { negRisk: 'true' }, {}],
    [
      'the time of its making',
      { createdAt: '2026-01-02 03:04:05+00' },
      { createdAt: '2026-01-02T03:04:05.000Z' },
    ],
    ['no time that is none', { createdAt: 'yesterday' }, {}],
    ['a tick', { orderPriceMinTickSize: 0.0025 }, { minimumTickSize: 0.0025 }],
    ['no tick of zero', { orderPriceMinTickSize: 0 }, {}],
    ['tags that are lists', { tags: [{ slug: 'a' }, { slug: 'b' }] }, { tags: ['a', 'b'] }],
    ['tags in a text', { tags: '[{"slug":"a"}]' }, { tags: ['a'] }],
    [
      'no tags without a slug',
      { tags: [{ label: 'A' }, null, 'b', { slug: '' }, { slug: 'c' }] },
      { tags: ['c'] },
    ],
    ['no tags that are no list', { tags: { slug: 'a' } }, {}],
  ])('have %s', (_, record, expected) => {
    expect(details(record)).toEqual({ ...details({}), ...expected });
  });

  it('take slug and title of the event, each of the first one that has it', () => {
    const events = [{ slug: ' ', title: 'Rain' }, { slug: 'sun', title: 'Sun' }, { slug: 'snow' }];
    expect(details({}, OUTCOMES, events)).toEqual({ ...details({}), eventSlug: 'sun', eventTitle: 'Rain' });
    expect(details({}, OUTCOMES, [{ title: 3 }])).toEqual(details({}));
  });

  it.each([
    ['the image', { image: 'https://x.example/a', icon: 'https://x.example/b' }, 'https://x.example/a'],
    ['the icon where there is no image', { icon: 'http://x.example/b' }, 'http://x.example/b'],
    [
      'the icon where the image is no address',
      { image: 'a.jpg', icon: 'HTTPS://x.example/b' },
      'HTTPS://x.example/b',
    ],
    ['none of another scheme', { image: 'javascript:alert(1)//https://x' }, undefined],
    ['none that begins with a blank', { image: ' https://x.example' }, undefined],
    ['none of a scheme that only looks like it', { image: 'httpx://x.example', icon: 'https:/x' }, undefined],
    ['none that is no text', { image: ['https://x.example'] }, undefined],
  ])('show as image %s', (_, record, image) => {
    expect(details(record).image).toBe(image);
  });

  it('give a probability in percent with three decimals, and none of an outcome without a price', () => {
    const { outcomes } = details({}, { ...OUTCOMES, prices: [0.0123456, undefined] });
    expect(outcomes).toEqual([
      { label: 'Yes', tokenId: '111', probability: 1.235 },
      { label: 'No', tokenId: '222' },
    ]);
    expect(details({}, { ...OUTCOMES, prices: [] }).outcomes).toEqual(
      ['Yes', 'No'].map((label, n) => ({ label, tokenId: ['111', '222'][n] })),
    );
  });

  it('say which version the ids are of', () => {
    const ids = { ...OUTCOMES.ids, version: 'v2' } as const;
    expect(details({}, { ...OUTCOMES, ids }).protocolVersion).toBe('v2');
  });
});

describe('the prices of a market', () => {
  const figures = (record: WireObject, outcomes = OUTCOMES) => {
    const { bestBid, bestAsk, lastTradePrice, spread } = details(record, outcomes);
    return { bestBid, bestAsk, lastTradePrice, spread };
  };
  const NONE = { bestBid: undefined, bestAsk: undefined, lastTradePrice: undefined, spread: undefined };

  it.each([
    ['a bid', { bestBid: 0.05 }, { bestBid: 0.05 }],
    ['a bid at the top', { bestBid: 1 }, { bestBid: 1 }],
    ['no bid at 0', { bestBid: 0 }, {}],
    ['an ask, which is the spread without a bid', { bestAsk: 0.3 }, { bestAsk: 0.3, spread: 0.3 }],
    ['an ask at the bottom', { bestAsk: 0 }, { bestAsk: 0, spread: 0 }],
    ['no ask at 1', { bestAsk: 1 }, { spread: 1 }],
    ['a last trade', { lastTradePrice: 1 }, { lastTradePrice: 1 }],
    ['no last trade at 0', { lastTradePrice: 0 }, {}],
  ])('of outcome 0 have %s', (_, record, expected) => {
    expect(figures(record)).toEqual({ ...NONE, ...expected });
  });

  it.each([
    ['an ask where outcome 0 has a bid', { bestBid: 0.05 }, { bestAsk: 0.95 }],
    ['a bid where outcome 0 has an ask', { bestAsk: 0.058 }, { bestBid: 0.942, spread: 0.058 }],
    ['no ask where outcome 0 has no bid', { bestBid: 0 }, {}],
    ['no bid where outcome 0 has no ask', { bestAsk: 1 }, { spread: 1 }],
    ['the last trade from the other side', { lastTradePrice: 0.96 }, { lastTradePrice: 0.04 }],
    ['no last trade where outcome 0 has none', { lastTradePrice: 0 }, {}],
    ['no binary noise, and eight decimals', { bestBid: 0.123456789 }, { bestAsk: 0.87654321 }],
  ])('of outcome 1 have %s', (_, record, expected) => {
    expect(figures(record, TURNED)).toEqual({ ...NONE, ...expected });
  });

  it('of the third of three outcomes have the spread alone; of the first of three they have all', () => {
    const record = { bestBid: 0.1, bestAsk: 0.3, lastTradePrice: 0.2 };
    const labels = ['A', 'B', 'Yes'];
    expect(figures(record, { ...OUTCOMES, labels, yes: 2 })).toEqual({ ...NONE, spread: 0.2 });
    expect(figures(record, { ...OUTCOMES, labels, yes: 0 })).toEqual({ ...record, spread: 0.2 });
  });

  it.each([
    ['as it is given, with four decimals', { spread: 0.12345, bestBid: 0.1, bestAsk: 0.5 }, 0.1235],
    ['as it is given where it is 0', { spread: 0, bestBid: 0.1, bestAsk: 0.5 }, 0],
    ['of bid and ask where the given one is below 0', { spread: -0.1, bestBid: 0.1, bestAsk: 0.5 }, 0.4],
    ['of bid and ask without binary noise', { bestBid: 0.1, bestAsk: 0.3 }, 0.2],
    ['0 where bid and ask are the same', { bestBid: 0.5, bestAsk: 0.5 }, 0],
    ['the ask where the bid is null', { bestBid: null, bestAsk: 0.3 }, 0.3],
    ['unknown where the bid is nonsense', { bestBid: 'x', bestAsk: 0.3 }, undefined],
    ['unknown where the book is crossed', { bestBid: 0.6, bestAsk: 0.5 }, undefined],
    ['unknown without an ask', { bestBid: 0.1 }, undefined],
  ])('have a spread %s', (_, record, expected) => {
    expect(figures(record).spread).toBe(expected);
  });
});
