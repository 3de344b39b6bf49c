import { describe, expect, it } from '@jest/globals';
import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS } from '../../../../lambda/contract/market-schemas.ts';
import { weightOf } from '../../../../lambda/domain/market-list.ts';
import { cutPage } from '../../../../lambda/domain/paging.ts';
import { fieldsOf } from '../../../../lambda/query/fields.ts';
import { MarketRows, type RowFormat } from '../../../../lambda/query/market-rows.ts';
import { MarketTable } from '../../../../lambda/query/market-table.ts';
import { Dice } from '../../../support/dice.ts';
import { diceRecords, marketRecord } from '../../../support/market-record.ts';

const team = marketRecord(2, {
  question: 'Falcons, "the best" — or\nLions?',
  eventSlug: 'final',
  negRisk: true,
  sevenDayPriceChange: 7,
  outcomes: [
    { label: 'Team Falcons', tokenId: marketRecord(2).clobTokenId, probability: 45 },
    { label: 'Lions', tokenId: '7', probability: 55 },
  ],
});

function written(table: MarketTable, positions: readonly number[], format: Partial<RowFormat> = {}): string {
  const rows = new MarketRows(table, positions, { kind: 'json', fields: undefined, ...format });
  return rows.encode({ start: 0, end: positions.length });
}

describe('the default fields', () => {
  it('are the eleven, byte for byte, for a market whose YES is called so', () => {
    const { id, question, slug, volume, liquidity, endDate, clobTokenId } = marketRecord(1);
    const line = JSON.stringify({
      id,
      question,
      slug,
      currentProbability: 45,
      volume,
      liquidity,
      oneDayPriceChange: -1.5,
      endDate,
      clobTokenId,
    });
    expect(written(new MarketTable([marketRecord(1)]), [0])).toBe(`[${line}]`);
  });

  it('end with the label of YES where that is another', () => {
    const [market] = JSON.parse(written(new MarketTable([team]), [0]));
    expect(Object.keys(market).at(-1)).toBe('outcome');
    expect(market.outcome).toBe('Team Falcons');
  });

  it('hold the longer changes for the first twenty markets only; by name any market has them', () => {
    const many = Array.from({ length: 21 }, (_, n) => marketRecord(n, { sevenDayPriceChange: 3 }));
    const table = new MarketTable(many);
    const [last, named] = [{}, { fields: fieldsOf(['sevenDayPriceChange']) }].map(
      (format) => JSON.parse(written(table, [19, 20], format))[1],
    );
    expect(last).not.toHaveProperty('sevenDayPriceChange');
    expect(named).toEqual({ sevenDayPriceChange: 3 });
  });
});

describe('fields', () => {
  it('come in the order given, each once; default and all stand for many', () => {
    expect(fieldsOf(['volume', 'id', 'volume'])).toEqual(['volume', 'id']);
    expect(fieldsOf(['spread', 'default'])).toEqual(['spread', ...DEFAULT_MARKET_FIELDS]);
    expect(fieldsOf(['all'])).toEqual(MARKET_FIELDS);
    expect(fieldsOf(['default'])).toBeUndefined();
    expect(fieldsOf(undefined)).toBeUndefined();
  });

  it('are left out where a market has none, but null stays', () => {
    const table = new MarketTable([marketRecord(1, { oneDayPriceChange: null })]);
    const fields = fieldsOf(['oneDayPriceChange', 'negRisk', 'category', 'outcome', 'id']);
    expect(JSON.parse(written(table, [0], { fields }))).toEqual([
      { oneDayPriceChange: null, id: marketRecord(1).id },
    ]);
  });

  it('worked out of the record: category and public page', () => {
    const table = new MarketTable([marketRecord(1, { tags: ['NBA'], eventSlug: 'a b' }), marketRecord(2)]);
    const fields = fieldsOf(['category', 'url']);
    expect(JSON.parse(written(table, [0, 1], { fields }))).toEqual([
      { category: 'sports', url: 'https://polymarket.com/event/a%20b/will-event-1-happen' },
      { url: 'https://polymarket.com/market/will-event-2-happen' },
    ]);
  });
});

describe('CSV', () => {
  it('has a header line, quotes what needs it, and writes lists as JSON (RFC 4180)', () => {
    const table = new MarketTable([team]);
    const fields = fieldsOf(['question', 'oneDayPriceChange', 'spread', 'tags', 'thirtyDayPriceChange']);
    expect(written(table, [0], { kind: 'csv', fields })).toBe(
      'question,oneDayPriceChange,spread,tags,thirtyDayPriceChange\r\n' +
        '"Falcons, ""the best"" — or\nLions?",-1.5,0.01,"[""politics""]",\r\n',
    );
  });

  it('has the default fields in the same columns for every market', () => {
    const lines = written(new MarketTable([team, marketRecord(3)]), [1], { kind: 'csv' }).split('\r\n');
    expect(lines[0]).toBe(DEFAULT_MARKET_FIELDS.join(','));
    expect(lines[1]?.split(',')).toHaveLength(DEFAULT_MARKET_FIELDS.length);
  });
});

describe('room', () => {
  const table = new MarketTable(diceRecords(40, new Dice(3)));
  const positions = table.order('liquidity').desc;

  it.each([
    ['default fields', { kind: 'json', fields: undefined }],
    ['all fields', { kind: 'json', fields: MARKET_FIELDS }],
    ['CSV', { kind: 'csv', fields: MARKET_FIELDS }],
  ] as const)('is bounded by what a page weighs: %s', (_, format) => {
    const rows = new MarketRows(table, positions, format);
    const bytes = weightOf(rows.encode({ start: 0, end: 12 }));
    const page = cutPage(40, 0, 40, rows.room(40, bytes));
    // What parts the rows is weighed a little high.
    expect([11, 12]).toContain(page.end);
    expect(weightOf(rows.encode(page))).toBeLessThanOrEqual(bytes);
  });

  it('has no bound where every row would fit', () => {
    const rows = new MarketRows(table, positions, { kind: 'json', fields: MARKET_FIELDS });
    expect(cutPage(40, 0, 40, rows.room(40, 40 * table.longestRow()))).toEqual({ start: 0, end: 40 });
    for (let index = 0; index < 40; index += 1) {
      const weight = weightOf(rows.encode({ start: index, end: index + 1 }));
      expect(weight).toBeLessThanOrEqual(table.longestRow());
    }
  });
});
