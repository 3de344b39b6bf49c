import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_MARKET_FIELDS,
  MARKET_FIELDS,
  type MarketField,
} from '../../../../lambda/core/contract/market-fields.ts';
import { fieldsOf, joinRows, rowOf } from '../../../../lambda/core/query/market-rows.ts';
import {
  loadedSnapshot,
  type MarketOverrides,
  testMarket,
  testMarkets,
} from '../../../support/markets.ts';

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
    expect(JSON.parse(snapshot.defaultRow(19))).toMatchObject(changes);
    for (const name of Object.keys(changes))
      expect(JSON.parse(snapshot.defaultRow(20))).not.toHaveProperty(name);
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
