import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_MARKET_FIELDS,
  MARKET_FIELDS,
  type MarketField,
} from '../../../../lambda/core/contract/market-fields.ts';
import { encodeMarkets, splitLines } from '../../../../lambda/core/domain/market-lines.ts';
import {
  fieldsOf,
  joinRows,
  MarketSnapshot,
  rowOf,
} from '../../../../lambda/core/query/market-snapshot.ts';
import {
  AS_OF,
  loadedSnapshot,
  type MarketOverrides,
  testMarket,
  testMarkets,
} from '../../../support/markets.ts';

describe('a snapshot in memory', () => {
  it('parses only the market that is needed, and keeps it', () => {
    const [first = ''] = splitLines(encodeMarkets(testMarkets(1)));
    const snapshot = new MarketSnapshot(loadedSnapshot([]).info, [first, 'broken']);
    expect(snapshot.market(0)).toEqual({
      ...testMarket(0),
      pricedAt: new Date(AS_OF).toISOString(),
    });
    expect(snapshot.market(0)).toBe(snapshot.market(0));
    expect(() => snapshot.market(1)).toThrow(SyntaxError);
    expect(() => snapshot.market(2)).toThrow(RangeError);
  });

  it('finds a market by its id in any form, its slug and any of its tokens', () => {
    const long = testMarket(0, { id: `0x${'Ab'.repeat(31)}00` });
    const short = testMarket(1, { id: `0x${'cd'.repeat(31)}` });
    const positionOf = (name: string) => loadedSnapshot([long, short]).positionOf(name);
    expect(positionOf(`0x${'ab'.repeat(31)}`)).toBe(0);
    expect(positionOf(`0x${'AB'.repeat(31)}00`)).toBe(0);
    expect(positionOf(`0x${'cd'.repeat(31)}00`)).toBe(1);
    expect(positionOf('will-event-1-happen')).toBe(1);
    expect(positionOf(short.outcomes[1]?.tokenId ?? '')).toBe(1);
    expect(positionOf(long.clobTokenId)).toBe(0);
    expect(positionOf('will-event-2-happen')).toBeUndefined();
  });

  it('finds the larger of two markets with one slug', () => {
    const [larger, smaller] = [testMarket(0, { slug: 'same' }), testMarket(1, { slug: 'same' })];
    expect(loadedSnapshot([larger, smaller]).positionOf('same')).toBe(0);
  });

  it('finds a market by its id even if a larger one has this id as its slug', () => {
    const { id } = testMarket(1);
    const thief = testMarket(0, { slug: id });
    expect(loadedSnapshot([thief, testMarket(1)]).positionOf(id)).toBe(1);
  });
});

const DEFAULT = DEFAULT_MARKET_FIELDS.join();
const ALL = MARKET_FIELDS.join();

it.each([
  ['default', undefined],
  ['default,default', undefined],
  ['volume,id,volume', 'volume,id'],
  ['tags,default,id', `tags,${DEFAULT}`],
  ['all', ALL],
  ['url,all', `url,${ALL.replace(',url,', ',')}`],
])('fields=%s names fields, each once, in the order given', (names, fields) => {
  expect(fieldsOf(names.split(','))?.join()).toBe(fields);
});

describe('a row', () => {
  /** 21 markets, of which the last two have 7- and 30-day changes: one of the first 20, one not. */
  const changes = { sevenDayPriceChange: 4, thirtyDayPriceChange: 5 };
  const others = [testMarket(19, changes), testMarket(20, { ...changes, category: 'tech' })];
  const snapshot = loadedSnapshot([...testMarkets(19), ...others]);

  it('has the named fields in their order', () => {
    const fields = ['slug', 'category', 'id'] as const;
    const { slug, id } = testMarket(20);
    expect(rowOf(snapshot, 20, { kind: 'json', fields })).toBe(
      JSON.stringify({ slug, category: 'tech', id }),
    );
  });

  it('lacks a named field that the market does not have', () => {
    expect(rowOf(snapshot, 20, { kind: 'json', fields: ['image'] })).toBe('{}');
  });

  it('has a named 7-day change beyond the first 20 markets [sentence 16]', () => {
    const fields = ['sevenDayPriceChange'] as const;
    expect(rowOf(snapshot, 20, { kind: 'json', fields })).toBe('{"sevenDayPriceChange":4}');
    expect(rowOf(snapshot, 20, { kind: 'csv', fields })).toBe('4\r\n');
  });

  it('without `fields` has 7- and 30-day changes for the first 20 markets only [sentence 16]', () => {
    expect(JSON.parse(snapshot.line(19))).toMatchObject(changes);
    for (const name of Object.keys(changes))
      expect(JSON.parse(snapshot.line(20))).not.toHaveProperty(name);
    const cells = rowOf(snapshot, 20, { kind: 'csv', fields: undefined }).split(',');
    expect(cells[DEFAULT_MARKET_FIELDS.indexOf('sevenDayPriceChange')]).toBe('');
  });

  it('of CSV stands below a head with the names of the fields', () => {
    expect(joinRows([], { kind: 'csv', fields: undefined })).toBe(
      `${DEFAULT_MARKET_FIELDS.join(',')}\r\n`,
    );
  });
});

describe('a cell of CSV', () => {
  const cellOf = (field: keyof MarketOverrides & MarketField, value: unknown): string => {
    const snapshot = loadedSnapshot([testMarket(0, { [field]: value })]);
    return rowOf(snapshot, 0, { kind: 'csv', fields: [field] });
  };

  it.each([...'=+-@＝＋－＠'])('is guarded if a spreadsheet would read %s as a formula', (sign) => {
    expect(cellOf('question', `${sign}1`)).toBe(`'${sign}1\r\n`);
  });

  it.each([
    ['Will X happen?;=1+1;=2', "Will X happen?;'=1+1;'=2"],
    ['a\t=1', "a\t'=1"],
    ['a\n=1', `"a\n'=1"`],
    ['a\r=1', `"a\r'=1"`],
    ['\u00a0＝1', "\u00a0'＝1"],
    [';"=1', `";""'=1"`],
    ['1-1; 2=2', '1-1; 2=2'],
  ])('%j is %j: a guard only where a formula begins', (text, expected) => {
    expect(cellOf('question', text)).toBe(`${expected}\r\n`);
  });

  it.each<[keyof MarketOverrides & MarketField, unknown, string]>([
    ['oneDayPriceChange', -1.5, '-1.5'],
    ['oneDayPriceChange', null, ''],
    ['negRisk', true, 'true'],
    ['image', undefined, ''],
    ['question', 'a\nb', '"a\nb"'],
    ['question', 'a\rb', '"a\rb"'],
    ['tags', ['a', 'b'], '"[""a"",""b""]"'],
  ])('%s: %j is %j', (field, value, expected) => {
    expect(cellOf(field, value)).toBe(`${expected}\r\n`);
  });
});
