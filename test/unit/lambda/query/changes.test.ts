import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { byVolume, type Market, type MarketRecord } from '../../../../lambda/domain/market.ts';
import {
  type Changes,
  changesBetween,
  type ListVersion,
  listVersion,
} from '../../../../lambda/query/changes.ts';
import { applyChanges } from '../../../support/apply-changes.ts';
import { Dice } from '../../../support/dice.ts';
import { marketRecord } from '../../../support/market-record.ts';

const encoded = ({ lines }: ListVersion): string => `[${lines.join(',\n')}]`;
const decoded = (version: ListVersion): Market[] => JSON.parse(encoded(version));

/** Applied as a client applies them. */
function rebuilt(from: ListVersion, to: ListVersion): string {
  const sent = JSON.parse(JSON.stringify({ from: 'a', to: 'b', asOf: '', ...changesBetween(from, to) }));
  return `[${applyChanges(decoded(from), sent as Changes)
    .map((market) => JSON.stringify(market))
    .join(',\n')}]`;
}

/** Shares of the markets to which something happens from one snapshot to the next. */
interface Churn {
  /** Traded: volume and depth change, for one in two the price as well. */
  readonly active: number;
  /** The price of a day ago moved, and with it the change over a day. */
  readonly baseline: number;
  readonly comeOrGo: number;
  /** Optional fields appear and disappear, volumes jump, outcomes are renamed. */
  readonly chaos: number;
}

function nextSnapshot(markets: readonly MarketRecord[], churn: Churn, dice: Dice, fresh: () => MarketRecord) {
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
function births(dice: Dice): () => MarketRecord {
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

function firstSnapshot(count: number, fresh: () => MarketRecord): MarketRecord[] {
  return Array.from({ length: count }, fresh).sort(byVolume);
}

describe('changes', () => {
  it('make the newest list of an older one, byte for byte, over 1,000 snapshots', () => {
    const dice = new Dice(1414);
    const fresh = births(dice);
    const churn = { active: 0.3, baseline: 0.2, comeOrGo: 0.03, chaos: 0.1 };
    let markets = firstSnapshot(40, fresh);
    const versions: ListVersion[] = [listVersion(markets)];
    for (let n = 0; n < 1_000; n += 1) {
      // Now and then everything comes anew, or hardly anything is left.
      if (dice.chance(0.01)) markets = firstSnapshot(40, fresh);
      if (dice.chance(0.01)) markets = markets.slice(0, 2);
      if (dice.chance(0.05) && markets.length < 40) markets = [...markets, fresh(), fresh()].sort(byVolume);
      markets = nextSnapshot(markets, churn, dice, fresh);
      const to = listVersion(markets);
      for (const from of [versions.at(-1), versions.at(-Math.ceil(dice.between(1, 30)))]) {
        if (from && rebuilt(from, to) !== encoded(to)) throw new Error(`Snapshot ${n} is not rebuilt`);
      }
      versions.push(to);
    }
    expect(versions).toHaveLength(1_001);
  });

  it('are empty between a snapshot and itself', () => {
    const version = listVersion(firstSnapshot(5, births(new Dice(1))));
    expect(changesBetween(version, version)).toEqual({ added: [], changed: [], removed: [] });
  });

  it('say null for a field that is gone, and for an unknown change over a day', () => {
    const before = marketRecord(1, { sevenDayPriceChange: 3 });
    const { sevenDayPriceChange: _, ...without } = before;
    const after = { ...without, oneDayPriceChange: null };
    expect(changesBetween(listVersion([before]), listVersion([after])).changed).toEqual([
      { id: before.id, sevenDayPriceChange: null, oneDayPriceChange: null },
    ]);
  });

  it('tell the order only where the list is not by volume and id', () => {
    const [one, other] = [marketRecord(1), marketRecord(2)];
    const [from, to] = [listVersion([one, other]), listVersion([other, one])];
    expect(changesBetween(from, to).order).toEqual([other.id, one.id]);
    expect(rebuilt(from, to)).toBe(encoded(to));
  });

  it('cost a follower at most a tenth of the bytes of the list, gzipped, over an hour', () => {
    const dice = new Dice(60);
    const fresh = births(dice);
    // Trading is concentrated: within two minutes 360 of the 2,000 largest markets are traded, and 160 had a price a day
    // ago that differs from the one two minutes before. An assumption, not a measurement.
    const churn = { active: 0.18, baseline: 0.08, comeOrGo: 0.001, chaos: 0 };
    let markets = firstSnapshot(2_000, fresh);
    let before = listVersion(markets);
    let follower = 0;
    let downloader = 0;
    for (let minute = 2; minute <= 60; minute += 2) {
      markets = nextSnapshot(markets, churn, dice, fresh);
      const after = listVersion(markets);
      const about = { from: 'x'.repeat(28), to: 'y'.repeat(28), asOf: 'z'.repeat(24) };
      follower += gzipSync(JSON.stringify({ ...about, ...changesBetween(before, after) })).length;
      // Something has always changed, so the tag of the whole list never fits.
      if (encoded(before) !== encoded(after)) downloader += gzipSync(encoded(after)).length;
      before = after;
    }
    const share = follower / downloader;
    console.info(
      `A follower of 2,000 markets moves ${Math.round(follower / 1_024)} KB in an hour, ` +
        `one that downloads the list ${Math.round(downloader / 1_024)} KB: ${(100 * share).toFixed(1)} %`,
    );
    expect(share).toBeLessThanOrEqual(0.1);
  });
});
