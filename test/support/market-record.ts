import type { MarketRecord } from '../../lambda/domain/market.ts';
import { byVolume } from '../../lambda/domain/market.ts';
import type { Dice } from './dice.ts';
import { snapshotEntry } from './snapshot-entry.ts';

/** A market with everything that a snapshot holds of one. */
export function marketRecord(n: number, overrides: Partial<MarketRecord> = {}): MarketRecord {
  const { market, facets } = snapshotEntry(n);
  return { ...market, ...facets, ...overrides };
}

/** Markets in list order, with ties, holes and repeats in everything that they can be asked for. */
export function diceRecords(count: number, dice: Dice): MarketRecord[] {
  const maybe = <T>(value: T): T | undefined => (dice.chance(0.8) ? value : undefined);
  const few = (values: number) => Math.floor(dice.between(0, values));
  const markets = Array.from({ length: count }, (_, n): MarketRecord => {
    const known = marketRecord(n);
    const optional = {
      volume24h: maybe(few(5) * 100),
      spread: maybe(few(4) / 100),
      createdAt: maybe(new Date(1_790_000_000_000 + few(9) * 1_000).toISOString()),
      sevenDayPriceChange: maybe(few(9) - 4),
      thirtyDayPriceChange: maybe(few(9) - 4),
      eventSlug: maybe(`event-${few(5)}`),
    };
    const market = {
      ...known,
      ...optional,
      question: dice.pick(['Will bitcoin rise?', 'Who wins the Super Bowl?', 'Will it rain?']),
      volume: few(6) * 1_000,
      liquidity: few(6) * 10,
      currentProbability: few(101),
      oneDayPriceChange: maybe(few(9) - 4) ?? null,
      endDate: new Date(1_800_000_000_000 + few(9) * 3_600_000).toISOString(),
      tags: [dice.pick(['nba', 'Crypto', 'weather']), dice.pick(['a', 'b'])],
    };
    return Object.fromEntries(
      Object.entries(market).filter(([, value]) => value !== undefined),
    ) as unknown as MarketRecord;
  });
  return markets.sort(byVolume);
}
