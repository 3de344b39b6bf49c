import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { middle } from '../../../local/simulator/prices.ts';
import { recordedUniverse } from '../../../local/simulator/recordings.ts';
import { NOW } from './support.ts';

const RECORD = {
  id: '1',
  slug: 'a',
  question: 'Is it recorded?',
  conditionId: '0xAB',
  clobTokenIds: '["11", "12"]',
  outcomes: '["Yes", "No"]',
  bestBid: 0.31,
  bestAsk: 0.33,
  lastTradePrice: 0.32,
  volumeNum: 500,
  orderPriceMinTickSize: 0.01,
  enableOrderBook: true,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-11T00:00:00Z',
};
const V2 = { ...RECORD, id: '2', conditionId: '0xcd', version: 'v2', positionIds: ['21', '22'], bestAsk: 1 };
const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
mkdirSync(join(folder, 'wrong'));
writeFileSync(join(folder, 'gamma-markets.json'), JSON.stringify([RECORD, V2, { id: '3' }]));
writeFileSync(join(folder, 'wrong', 'gamma-markets.json'), '{}');
afterAll(() => rmSync(folder, { recursive: true }));

describe('recordedUniverse', () => {
  const { until, description } = recordedUniverse(folder, NOW);
  const markets = until(NOW);
  const [first, second] = markets;

  it('serves the records that have ids as they are', () => {
    expect(description).toContain('2 recorded markets');
    expect(markets.map((market) => market.wire(NOW, true))).toEqual([RECORD, V2]);
    expect(markets.map(({ tokens }) => tokens)).toEqual([
      ['11', '12'],
      ['21', '22'],
    ]);
  });

  it('derives the quote from the record, and wandering prices before', () => {
    const before = [1, 2, 3].map((days) => middle(first?.quote(NOW - days * 86_400_000) ?? { bid: 0, ask: 0 }, 100));

    expect(first?.quote(NOW + 1)).toEqual({ bid: 31, ask: 33 });
    expect(second?.quote(NOW)).toEqual({ bid: 31, ask: null });
    expect(new Set(before).size).toBeGreaterThan(1);
  });

  it.each([
    ['nowhere', 'is missing or does not hold JSON'],
    ['wrong', 'does not hold a list of markets'],
  ])('refuses the folder %s', (name, message) => {
    expect(() => recordedUniverse(join(folder, name), NOW)).toThrow(message);
  });
});
