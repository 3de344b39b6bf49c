import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeFacets, encodeFacets, MarketList } from '../../../../lambda/domain/market-list.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const UGLY = 'Line\nfeed, "quotes", \u2028 and \f, ] } — 日本';

describe('MarketList', () => {
  const entries = [UGLY, 'Plain?', ''].map((question, n) => snapshotEntry(n, { question }));
  const markets = entries.map(({ market }) => market);
  const list = MarketList.decode(MarketList.encode(entries), entries.length);

  it('cuts any page out of the encoded text', () => {
    for (let start = 0; start <= 3; start++) {
      for (let end = start; end <= 3; end++)
        expect(JSON.parse(list.slice(start, end))).toEqual(markets.slice(start, end));
    }
  });

  it('picks markets in the order that is asked for', () => {
    expect(JSON.parse(list.pick([2, 0]))).toEqual([markets[2], markets[0]]);
    expect(list.pick([])).toBe('[]');
  });

  it('holds an empty list', () => {
    expect(MarketList.decode('', 0).slice(0, 0)).toBe('[]');
  });

  it('refuses a text with fewer markets than promised', () => {
    expect(() => MarketList.decode(MarketList.encode(entries), 4)).toThrow(RangeError);
  });

  it('tells how many markets fit into an answer, in bytes as Lambda counts them', () => {
    const question = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(question, { minLength: 1, maxLength: 30 }),
        fc.nat(20_000),
        (questions, maxBytes) => {
          const some = questions.map((text, n) => snapshotEntry(n, { question: text }));
          const all = MarketList.decode(MarketList.encode(some), some.length);
          const fits = all.fitting(0, maxBytes);
          const bytes = (count: number) => Buffer.byteLength(JSON.stringify(all.slice(0, count)));
          expect(fits).toBeGreaterThanOrEqual(1);
          // Each line is weighed with its own two quotes, which stand for the separator.
          if (fits > 1) expect(bytes(Math.min(fits, some.length))).toBeLessThanOrEqual(maxBytes + 8);
        },
      ),
    );
  });
});

describe('facets', () => {
  it('survive encoding', () => {
    const entries = [
      { ...snapshotEntry(1), facets: { ...snapshotEntry(1).facets, tags: ['nba'], eventTitle: UGLY } },
      snapshotEntry(2),
    ];
    expect(decodeFacets(encodeFacets(entries))).toEqual(entries.map(({ facets }) => facets));
    expect(decodeFacets('')).toEqual([]);
  });
});
