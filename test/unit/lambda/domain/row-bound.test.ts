import { describe, expect, it } from '@jest/globals';
import type { MarketRecord } from '../../../../lambda/domain/market.ts';
import { outcomeOf } from '../../../../lambda/domain/market-list.ts';
import { longestRow, rowBound } from '../../../../lambda/domain/row-bound.ts';
import { marketRecord } from '../../../support/market-record.ts';

const TEN = 'x'.repeat(10);

/** A market without a text or an outcome. */
function bare(overrides: Partial<MarketRecord> = {}): MarketRecord {
  const { slug: _, ...record } = marketRecord(1);
  return { ...record, question: '', tags: [], outcomes: [], ...overrides };
}

describe('the bound of a row', () => {
  it('is 2,000 bytes without a text or an outcome', () => {
    expect(rowBound(bare())).toBe(2_000);
  });

  it.each<[string, Partial<MarketRecord>, number]>([
    ['a question', { question: TEN }, 70],
    ['a slug, which stands in the public URL once more', { slug: TEN }, 140],
    ["an event's slug, which does, too", { eventSlug: TEN }, 140],
    ["an event's title", { eventTitle: TEN }, 70],
    ['a name inside of the event', { groupItemTitle: TEN }, 70],
    ['an image', { image: TEN }, 70],
    ['two tags', { tags: [TEN, TEN] }, 140],
    ['an outcome without a label', { outcomes: [{ label: '', tokenId: '1' }] }, 250],
    ['an outcome, whose label may stand there twice', { outcomes: [{ label: TEN, tokenId: '1' }] }, 390],
  ])('grows by 7 bytes a character of %s', (_name, overrides, bytes) => {
    expect(rowBound(bare(overrides)) - rowBound(bare())).toBe(bytes);
  });

  it('holds for texts of the characters that take most, in JSON inside of JSON', () => {
    const worst = '\u0000'.repeat(500);
    const outcomes = [1, 2].map((n) => ({ label: worst, tokenId: '9'.repeat(78), probability: 0.123 * n }));
    const record = marketRecord(1, {
      question: worst,
      slug: worst,
      eventSlug: worst,
      eventTitle: worst,
      groupItemTitle: worst,
      image: worst,
      tags: [worst, worst],
      outcomes,
      clobTokenId: '9'.repeat(78),
    });
    const row = {
      ...record,
      outcome: outcomeOf(record),
      url: `https://polymarket.com/event/${worst}/${worst}`,
    };
    expect(JSON.stringify(JSON.stringify(row)).length).toBeLessThanOrEqual(rowBound(record));
  });
});

describe('the longest row', () => {
  it('is that of the market with the greatest bound, wherever it stands', () => {
    const markets = ['', TEN, 'x'].map((question) => bare({ question }));
    expect(longestRow(markets)).toBe(2_070);
    expect(longestRow(markets.toReversed())).toBe(2_070);
  });

  it('of no market is 0', () => {
    expect(longestRow([])).toBe(0);
  });
});
