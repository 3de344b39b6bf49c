// How a response writes the markets of a snapshot, in JSON or CSV: which fields a row has (the
// parameter `fields`, or the default), and how a cell of CSV is written.

import { describe, expect, it } from '@jest/globals';
import {
  DEFAULT_MARKET_FIELDS,
  MARKET_FIELDS,
  type MarketField,
} from '../../../../lambda/core/contract/market-fields.ts';
import { fieldsOf, joinRows, rowOf } from '../../../../lambda/core/query/market-rows.ts';
import { loadedSnapshot, type MarketOverrides, testMarket } from '../../../support/markets.ts';

describe('for the parameter fields, fieldsOf', () => {
  /** The default fields, among them `id`, and all fields, with `url` in their middle. */
  const DEFAULT = DEFAULT_MARKET_FIELDS.join();
  const ALL = MARKET_FIELDS.join();

  it.each([
    ['volume,id,volume', 'volume,id'],
    ['tags,default,id', `tags,${DEFAULT}`],
    ['all', ALL],
    ['url,all', `url,${ALL.replace(',url,', ',')}`],
  ])('returns the fields of %s, each once, in the order given', (names, fields) => {
    expect(fieldsOf(names.split(','))?.join()).toBe(fields);
  });

  it.each(['default', 'default,default'])('returns undefined for %s alone', (names) => {
    expect(fieldsOf(names.split(','))).toBeUndefined();
  });
});

describe('a row', () => {
  const market = testMarket(0, { category: 'tech' });
  const snapshot = loadedSnapshot([market]);

  it('has the named fields in their order', () => {
    const fields = ['slug', 'category', 'id'] as const;
    const { slug, id } = market;
    const json = JSON.stringify({ slug, category: 'tech', id });
    expect(rowOf(snapshot, 0, { kind: 'json', fields })).toBe(json);
  });

  it('lacks a named field that the market does not have', () => {
    expect(rowOf(snapshot, 0, { kind: 'json', fields: ['image'] })).toBe('{}');
  });

  it('of CSV follows a row with the names of the fields', () => {
    const names = DEFAULT_MARKET_FIELDS.join(',');
    expect(joinRows([], { kind: 'csv', fields: undefined })).toBe(`${names}\r\n`);
  });
});

// Every market has these changes. The parameter `fields` can name them for any market. Without it,
// only the first 20 rows have them, as docs/request.md demands.
describe('the 7- and 30-day changes of the list', () => {
  const changes = { sevenDayPriceChange: 4, thirtyDayPriceChange: 5 };
  const markets = Array.from({ length: 21 }, (_, n) => testMarket(n, changes));
  const snapshot = loadedSnapshot(markets);
  /** Positions begin with 0. */
  const TWENTIETH = 19;
  const TWENTY_FIRST = 20;

  it('are default fields of the first 20 markets [sentence 16]', () => {
    expect(JSON.parse(snapshot.defaultRow(TWENTIETH))).toMatchObject(changes);
  });

  it('are no default fields of later markets [sentence 16]', () => {
    const row = JSON.parse(snapshot.defaultRow(TWENTY_FIRST));
    expect(row).not.toHaveProperty('sevenDayPriceChange');
    expect(row).not.toHaveProperty('thirtyDayPriceChange');
    const cells = rowOf(snapshot, TWENTY_FIRST, { kind: 'csv', fields: undefined }).split(',');
    expect(cells[DEFAULT_MARKET_FIELDS.indexOf('sevenDayPriceChange')]).toBe('');
  });

  it('can be named for later markets, too [sentence 16]', () => {
    const fields = ['sevenDayPriceChange'] as const;
    expect(rowOf(snapshot, TWENTY_FIRST, { kind: 'json', fields })).toBe(
      '{"sevenDayPriceChange":4}',
    );
    expect(rowOf(snapshot, TWENTY_FIRST, { kind: 'csv', fields })).toBe('4\r\n');
  });
});

describe('a cell of CSV', () => {
  /** The row of a market with this value of one field, and with no other field. */
  const rowWith = (value: MarketOverrides): string => {
    const fields = Object.keys(value) as MarketField[];
    return rowOf(loadedSnapshot([testMarket(0, value)]), 0, { kind: 'csv', fields });
  };

  // An apostrophe keeps a spreadsheet from running the text as a formula.
  it.each([...'=+-@＝＋－＠'])('begins with an apostrophe if its text begins with %s', (sign) => {
    expect(rowWith({ question: `${sign}1` })).toBe(`'${sign}1\r\n`);
  });

  // A spreadsheet may split a text at these characters, or skip them.
  it.each([
    ['semicolons', 'Will X happen?;=1+1;=2', "Will X happen?;'=1+1;'=2"],
    ['a tab', 'a\t=1', "a\t'=1"],
    ['a line feed', 'a\n=1', `"a\n'=1"`],
    ['a carriage return', 'a\r=1', `"a\r'=1"`],
    ['a no-break space', '\u00a0＝1', "\u00a0'＝1"],
    ['a quote', ';"=1', `";""'=1"`],
  ])('has an apostrophe before a formula after %s: %j', (_separator, text, expected) => {
    expect(rowWith({ question: text })).toBe(`${expected}\r\n`);
  });

  it('has no apostrophe where no formula begins', () => {
    expect(rowWith({ question: '1-1; 2=2' })).toBe('1-1; 2=2\r\n');
  });

  it.each<[value: MarketOverrides, cell: string]>([
    [{ oneDayPriceChange: -1.5 }, '-1.5'],
    [{ oneDayPriceChange: null }, ''],
    [{ negRisk: true }, 'true'],
    [{ image: undefined }, ''],
    [{ question: 'a\nb' }, '"a\nb"'],
    [{ question: 'a\rb' }, '"a\rb"'],
    [{ tags: ['a', 'b'] }, '"[""a"",""b""]"'],
  ])('of %p is %j', (value, cell) => {
    expect(rowWith(value)).toBe(`${cell}\r\n`);
  });
});
