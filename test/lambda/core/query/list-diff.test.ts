import { describe, expect, it } from '@jest/globals';
import { byVolume, type Market } from '../../../../lambda/core/domain/market.ts';
import { listDiff } from '../../../../lambda/core/query/list-diff.ts';
import type { MarketSnapshot } from '../../../../lambda/core/query/market-snapshot.ts';
import { applyChanges } from '../../../../packages/client/src/apply-changes.ts';
import { Dice } from '../../../support/dice.ts';
import { loadedSnapshot, testMarket } from '../../../support/markets.ts';

const linesOf = (snapshot: MarketSnapshot) => snapshot.markets.map((_, position) => snapshot.line(position));

/** The lines that the client of this project makes of an older list and its changes. */
function applied(from: MarketSnapshot, changes: ReturnType<typeof listDiff>): readonly string[] {
  const feed = { from: 'a', to: 'b', asOf: '2026-11-21T12:00:00Z', ...changes };
  const list = linesOf(from).map((line) => JSON.parse(line));
  return applyChanges(list, JSON.parse(JSON.stringify(feed))).map((market) => JSON.stringify(market));
}

/** The market after some trading; optional fields come and go, and volumes jump. */
function traded(market: Market, dice: Dice): Market {
  const cents = (low: number, high: number) => Math.round(dice.between(low, high) * 100) / 100;
  const next: Record<string, unknown> = { ...market };
  if (dice.chance(0.4)) next.currentProbability = cents(0, 100);
  if (dice.chance(0.3)) next.oneDayPriceChange = dice.chance(0.2) ? null : cents(-20, 20);
  if (dice.chance(0.3)) next.volume = dice.pick([0, 1_000, cents(0, 2_000_000)]);
  for (const field of ['sevenDayPriceChange', 'thirtyDayPriceChange', 'slug', 'outcome']) {
    const event = dice.random();
    if (event < 0.1) delete next[field];
    else if (event < 0.2) next[field] = field.endsWith('Change') ? cents(-50, 50) : `text-${cents(0, 9)}`;
  }
  return next as unknown as Market;
}

describe('changes', () => {
  it('turn any older list into the newest one, byte for byte', () => {
    const dice = new Dice(1414);
    let born = 0;
    const fresh = () => {
      born += 1;
      return testMarket(born, { volume: Math.round(dice.between(0, 1e6)) });
    };
    let markets = Array.from({ length: 40 }, fresh).sort(byVolume);
    const snapshots = [loadedSnapshot(markets)];
    for (let n = 0; n < 300; n += 1) {
      const kept = markets.filter(() => !dice.chance(0.03)).map((market) => traded(market, dice));
      if (dice.chance(0.02)) kept.splice(2);
      while (kept.length < 40 && dice.chance(0.7)) kept.push(fresh());
      markets = kept.sort(byVolume);
      const to = loadedSnapshot(markets);
      const from = snapshots.at(-Math.ceil(dice.between(0, 30))) ?? to;
      const diff = listDiff(from, to);
      expect([n, applied(from, diff)]).toEqual([n, linesOf(to)]);
      expect(diff).not.toHaveProperty('order');
      snapshots.push(to);
    }
  });

  it('name only the fields that differ, null for those that a market no longer has', () => {
    const before = testMarket(0, { outcome: 'Over', oneDayPriceChange: 1 });
    const after = testMarket(0, {
      slug: undefined,
      oneDayPriceChange: null,
      currentProbability: 46,
      image: 'x',
    });
    const other = testMarket(1);
    const [from, to] = [loadedSnapshot([before, other]), loadedSnapshot([after, { ...other, image: 'y' }])];
    expect(listDiff(from, to)).toEqual({
      added: [],
      changed: [{ id: before.id, currentProbability: 46, oneDayPriceChange: null, slug: null, outcome: null }],
      removed: [],
    });
    expect(listDiff(to, to)).toEqual({ added: [], changed: [], removed: [] });
  });

  it('name the order when the list is not by volume and id', () => {
    const [a, b, c] = [testMarket(0), testMarket(1), testMarket(2)];
    const [from, to] = [loadedSnapshot([a, b]), loadedSnapshot([c, a])];
    const changes = listDiff(from, to);
    expect(changes).toMatchObject({ removed: [b.id], order: [c.id, a.id] });
    expect(changes.added).toEqual([JSON.parse(to.line(0))]);
    expect(applied(from, changes)).toEqual(linesOf(to));
  });
});
