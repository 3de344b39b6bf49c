import { byVolume, type Market, type MarketRecord } from '../../../../lambda/domain/market.ts';
import { type Changes, changesBetween, type ListVersion } from '../../../../lambda/query/changes.ts';
import { applyChanges } from '../../../support/apply-changes.ts';
import type { Dice } from '../../../support/dice.ts';
import { marketRecord } from '../../../support/market-record.ts';

export const encoded = ({ lines }: ListVersion): string => `[${lines.join(',\n')}]`;
const decoded = (version: ListVersion): Market[] => JSON.parse(encoded(version));

/** Applied as a client applies them. */
export function rebuilt(from: ListVersion, to: ListVersion): string {
  const sent = JSON.parse(JSON.stringify({ from: 'a', to: 'b', asOf: '', ...changesBetween(from, to) }));
  return `[${applyChanges(decoded(from), sent as Changes)
    .map((market) => JSON.stringify(market))
    .join(',\n')}]`;
}

/** Shares of the markets to which something happens from one snapshot to the next. */
export interface Churn {
  /** Traded: volume and depth change, for one in two the price as well. */
  readonly active: number;
  /** The price of a day ago moved, and with it the change over a day. */
  readonly baseline: number;
  readonly comeOrGo: number;
  /** Optional fields appear and disappear, volumes jump, outcomes are renamed. */
  readonly chaos: number;
}

export function nextSnapshot(
  markets: readonly MarketRecord[],
  churn: Churn,
  dice: Dice,
  fresh: () => MarketRecord,
) {
  const cents = (low: number, high: number) => Math.round(dice.between(low, high) * 100) / 100;
  const kept = markets
    .filter(() => !dice.chance(churn.comeOrGo))
    .map((market): MarketRecord => {
      const changed: Record<string, unknown> = { ...market };
      if (dice.chance(churn.active)) {
        changed.volume = Number((market.volume + cents(1, 5_000)).toFixed(2));
        changed.liquidity = cents(0, 50_000);
        if (dice.chance(0.5)) changed.currentProbability = cents(0, 100);
      }
      if (dice.chance(churn.baseline)) changed.oneDayPriceChange = dice.chance(0.05) ? null : cents(-20, 20);
      if (dice.chance(churn.chaos)) {
        for (const field of ['sevenDayPriceChange', 'thirtyDayPriceChange', 'slug'] as const) {
          if (dice.chance(0.5)) delete changed[field];
          else changed[field] = field === 'slug' ? `slug-${cents(0, 100)}` : cents(-50, 50);
        }
        const label = dice.pick(['Yes', 'Over', 'Team Falcons']);
        changed.outcomes = [{ label, tokenId: market.clobTokenId }, ...market.outcomes.slice(1)];
        changed.volume = dice.pick([0, 1_000, cents(0, 2_000_000)]);
      }
      return changed as unknown as MarketRecord;
    });
  while (kept.length < markets.length) kept.push(fresh());
  return kept.sort(byVolume);
}

/** New markets, one after another, with ids in no order. */
export function births(dice: Dice): () => MarketRecord {
  let born = 0;
  return () => {
    born += 1;
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(dice.between(0, 16)).toString(16)).join('');
    const digits = Array.from({ length: 76 }, () => Math.floor(dice.between(0, 10))).join('');
    const question = `Will ${hex(6)} ${hex(5)} happen before the ${born}th of ${hex(4)}?`;
    return marketRecord(born, {
      id: `0x${hex(64)}`,
      question,
      slug: question.toLowerCase().replaceAll(/\W+/g, '-'),
      clobTokenId: `1${digits}`,
      volume: Math.round(dice.between(0, 1e8)) / 100,
      currentProbability: Math.round(dice.between(0, 10_000)) / 100,
      outcomes: [{ label: 'Yes', tokenId: `1${digits}` }],
    });
  };
}

export function firstSnapshot(count: number, fresh: () => MarketRecord): MarketRecord[] {
  return Array.from({ length: count }, fresh).sort(byVolume);
}
