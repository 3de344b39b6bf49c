import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultFields, MarketList } from '../../../../lambda/domain/market-list.ts';
import { roomFor } from '../../../../lambda/domain/paging.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { anyText } from '../../../support/any-text.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

const listOf = (entries: readonly SnapshotEntry[]) => {
  const records = entries.map(({ market, facets }) => ({ ...market, ...facets }));
  return MarketList.of(records.length, (position) => records[position] ?? unreachable());
};
const unreachable = (): never => {
  throw new Error('unreachable');
};
const UGLY = 'Line\nfeed, "quotes", \u2028 and \f, ] } — 日本';

describe('MarketList', () => {
  const entries = [UGLY, 'Plain?', ''].map((question, n) => snapshotEntry(n, { question }));
  const markets = entries.map(({ market }) => market);
  const list = listOf(entries);

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
    expect(listOf([]).slice(0, 0)).toBe('[]');
  });

  it('tells how many markets fit into a response, in bytes as Lambda counts them', () => {
    const question = anyText(40);
    fc.assert(
      fc.property(
        fc.array(question, { minLength: 1, maxLength: 30 }),
        fc.nat(20_000),
        (questions, maxBytes) => {
          const some = questions.map((text, n) => snapshotEntry(n, { question: text }));
          const all = listOf(some);
          const fits = roomFor((position) => all.weightAt(position), maxBytes).from(0, some.length);
          const bytes = (count: number) => Buffer.byteLength(JSON.stringify(all.slice(0, count)));
          expect(fits).toBeGreaterThanOrEqual(1);
          // Each line is weighed with its own two quotes, which stand for the separator.
          if (fits > 1) expect(bytes(Math.min(fits, some.length))).toBeLessThanOrEqual(maxBytes + 8);
        },
      ),
    );
  });
});

describe('the default fields', () => {
  const record = {
    ...snapshotEntry(1).market,
    ...snapshotEntry(1).facets,
    sevenDayPriceChange: 1,
    thirtyDayPriceChange: 2,
  };

  it('hold the 7- and 30-day changes for the first twenty places only', () => {
    expect(defaultFields(record, 19)).toMatchObject({ sevenDayPriceChange: 1, thirtyDayPriceChange: 2 });
    const later = defaultFields(record, 20);
    expect([later.sevenDayPriceChange, later.thirtyDayPriceChange]).toEqual([undefined, undefined]);
    expect(Object.keys(later)).toEqual(Object.keys(snapshotEntry(1).market));
  });
});
