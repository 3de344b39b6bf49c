import { describe, expect, it } from '@jest/globals';
import { endOfEvent } from '../../../../local/simulator/universe/lifetime.ts';
import type { EventDraft, MarketDraft } from '../../../../local/simulator/universe/topics.ts';

const DAY_MS = 86_400_000;
const EVENTS = 400;

/** What the markets of many equal events pay. */
function payouts(kind: EventDraft['kind'], markets: readonly Partial<MarketDraft>[]): (readonly number[])[] {
  const outcomes = ['Yes', 'No'] as const;
  const drafts = markets.map((market, n) => ({ question: `${n}`, outcomes, ...market }));
  const draft: EventDraft = { title: '', kind, popularity: 1, tags: [], endsAt: 10 * DAY_MS, markets: drafts };
  return Array.from({ length: EVENTS }, (_, key) => endOfEvent(draft, key, 0).payouts);
}

const share = (all: readonly (readonly number[])[], place: number): number =>
  all.reduce((sum, event) => sum + (event[place] ?? 0), 0) / EVENTS;

describe('the payouts of an event', () => {
  it('go to exactly one market of an exclusive event, and are as likely as its prices say', () => {
    const all = payouts('exclusive', [{ weight: 1 }, { weight: 9 }]);

    expect(all.every(([a = 0, b = 0]) => a + b === 1)).toBe(true);
    expect(share(all, 1)).toBeGreaterThan(0.84);
    expect(share(all, 1)).toBeLessThan(0.96);
  });

  it('go to the first steps of a ladder', () => {
    const all = payouts('ladder', [{ chance: 0.7 }, { chance: 0.7 }, { chance: 0.7 }]);

    expect(all.every(([a = 0, b = 0, c = 0]) => a >= b && b >= c)).toBe(true);
    expect(share(all, 0)).toBeGreaterThan(0.6);
    expect(share(all, 2)).toBeLessThan(share(all, 0) - 0.1);
  });

  it('are as likely as the price of a market of its own, or half', () => {
    const all = payouts('separate', [{ chance: 0.2 }]);

    expect(share(all, 0)).toBeLessThan(0.35);
    expect(new Set(all.flat())).toEqual(new Set([0, 0.5, 1]));
  });
});
