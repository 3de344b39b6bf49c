import { describe, expect, it } from '@jest/globals';
import { middle } from '../../../../local/simulator/prices.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW };
const { markets } = generateUniverse(OPTIONS);

interface Wire {
  readonly question: string;
  readonly slug: string;
  readonly groupItemTitle?: string;
  readonly outcomes?: string | null;
  readonly outcomePrices?: string | null;
  readonly clobTokenIds?: string | null;
  readonly positionIds?: readonly string[];
  readonly conditionId: string;
  readonly version?: string;
  readonly endDate?: string;
  readonly createdAt: string;
  readonly bestBid?: number;
  readonly events: readonly { readonly slug: string; readonly title: string; readonly endDate?: string }[];
  readonly tags: readonly { readonly slug: string; readonly label: string }[];
}
const wires = markets.map((market) => market.wire(NOW, true) as unknown as Wire);
const byEvent = Map.groupBy(
  markets.map((market, n) => ({ market, wire: wires[n] as Wire })),
  ({ wire }) => wire.events[0]?.slug,
);
const prices = (event: readonly { readonly market: (typeof markets)[number] }[], atMs: number): number[] =>
  event.map(({ market }) => middle(market.quote(atMs), market.units));

describe('generateUniverse', () => {
  it('gives the same markets for the same options and others for another seed', () => {
    const wire = (seed: number): string => {
      const universe = generateUniverse({ ...OPTIONS, markets: 200, seed });
      return JSON.stringify(universe.markets.map((market) => market.wire(NOW, true)));
    };

    expect(wire(5)).toBe(wire(5));
    expect(wire(5)).not.toBe(wire(6));
  });

  it.each([1, 7, 2_500, 12_000])('has exactly %i markets with different ids, slugs and tokens', (count) => {
    const universe = generateUniverse({ ...OPTIONS, markets: count });
    const distinct = (values: readonly string[]): number => new Set(values).size;

    expect(universe.markets).toHaveLength(count);
    expect(distinct(universe.markets.map(({ id }) => id))).toBe(count);
    expect(distinct(universe.markets.map(({ slug }) => slug))).toBe(count);
    expect(distinct(universe.markets.map(({ conditionId }) => conditionId))).toBe(count);
    expect(distinct(universe.markets.flatMap(({ tokens }) => [...tokens]))).toBe(2 * count);
  });

  it('fills every word of its texts', () => {
    const texts = wires.flatMap(({ question, events, groupItemTitle }) => [
      question,
      events[0]?.title ?? '',
      groupItemTitle ?? '',
    ]);

    expect(texts.filter((text) => /[{}*]|undefined|NaN/.test(text))).toEqual([]);
    expect(wires.every(({ question }) => question.trim().length > 10)).toBe(true);
  });

  it('dates every event after the day of the start, and creates every market before it', () => {
    const ends = wires.flatMap(({ events }) => (events[0]?.endDate ? [Date.parse(events[0].endDate)] : []));

    expect(Math.min(...ends)).toBeGreaterThanOrEqual(Date.parse('2026-11-22T00:00:00Z'));
    expect(Math.max(...markets.map(({ createdAt }) => createdAt))).toBeLessThan(NOW);
  });

  it.each([
    ['2026-11-21T12:00:00Z', '2027 NBA Champion', 'Presidential Election Winner 2028'],
    ['2027-06-18T12:00:00Z', '2028 NBA Champion', 'Presidential Election Winner 2028'],
    ['2028-11-05T12:00:00Z', '2029 NBA Champion', 'Presidential Election Winner 2032'],
  ])('names the seasons and elections that come after %s', (now, champion, election) => {
    const universe = generateUniverse({ ...OPTIONS, now: Date.parse(now) });
    const titles = universe.markets.map((market) => (market.wire(NOW, false) as unknown as Wire).events[0]?.title);

    expect(titles).toContain(champion);
    expect(titles).toContain(election);
  });

  it('dates a question and its market alike', () => {
    const dated = wires.filter(({ events, endDate }) => events[0]?.title.includes(' 2028') && endDate);

    expect(dated.length).toBeGreaterThan(10);
    expect(dated.every(({ endDate }) => endDate?.startsWith('2028'))).toBe(true);
  });

  it.each([0, 3, 40])('prices exclusive markets so that they add up to about 1, %i days later', (days) => {
    const exclusive = [...byEvent.values()].filter((event) => event[0]?.market.negRisk);
    // The last event can be cut off.
    const sums = exclusive.slice(0, -1).map((event) => prices(event, NOW + days * DAY_MS).reduce((a, b) => a + b, 0));

    expect(exclusive.length).toBeGreaterThan(100);
    expect(Math.min(...sums)).toBeGreaterThan(0.95);
    expect(Math.max(...sums)).toBeLessThan(1.05);
  });

  it('never prices a later step of a ladder above an earlier one by more than the spread', () => {
    const ladders = [...byEvent.values()].filter(({ 0: first }) =>
      first?.wire.question.startsWith('Will the price of'),
    );
    const ordered = ladders.flatMap((event) => {
      const priced = event.filter(({ market }) => market.quote(NOW).bid !== null);
      return prices(priced, NOW).map((price, n, all) => price <= (all[n - 1] ?? 1) + 0.03);
    });

    expect(ordered.length).toBeGreaterThan(40);
    expect(ordered).not.toContain(false);
  });

  it('has volumes, liquidity and spreads as the recordings have', () => {
    const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
    const quoted = markets.flatMap(({ quote, units }) => {
      const { bid, ask } = quote(NOW);
      return bid === null || ask === null ? [] : [(ask - bid) / units];
    });

    expect(median(markets.map(({ volume }) => volume)) / 33_600).toBeCloseTo(1, 0);
    expect(median(markets.map(({ liquidity }) => liquidity)) / 12_000).toBeCloseTo(1, 0);
    expect(Math.max(...markets.map(({ volume }) => volume))).toBeGreaterThan(20e6);
    expect(median(quoted)).toBeGreaterThanOrEqual(0.001);
    expect(median(quoted)).toBeLessThan(0.01);
    expect(quoted.filter((spread) => spread > 0.1).length / quoted.length).toBeGreaterThan(0.01);
    expect(quoted.filter((spread) => spread > 0.1).length / quoted.length).toBeLessThan(0.1);
  });

  it('has prices that move within an hour and within a day', () => {
    const moved = (ms: number): number =>
      markets.filter(({ quote, units }) => middle(quote(NOW), units) !== middle(quote(NOW - ms), units)).length;

    expect(moved(60_000)).toBeGreaterThan(50);
    expect(moved(DAY_MS)).toBeGreaterThan(1_000);
  });

  it('has outcomes other than Yes and No, and outcomes in the other order', () => {
    const pairs = new Set(wires.map(({ outcomes }) => outcomes));

    for (const pair of ['["Yes", "No"]', '["No", "Yes"]', '["Up", "Down"]', '["Over", "Under"]', undefined, null]) {
      expect(pairs).toContain(pair);
    }
    expect([...pairs].some((pair) => pair?.includes('Lakers'))).toBe(true);
  });

  it('has records that cannot be listed, but few of them', () => {
    const broken = wires.filter(
      ({ outcomes, version, events, clobTokenIds, positionIds }) =>
        !outcomes || version === 'v3' || !events[0]?.endDate || (!clobTokenIds && !positionIds),
    );

    expect(new Set(wires.map(({ version }) => version))).toEqual(new Set(['v1', 'v2', 'v3', undefined]));
    expect(broken.length).toBeGreaterThan(20);
    expect(broken.length).toBeLessThan(250);
  });

  it.each([0, 0.5, 1])('puts a share of %d of the events on Protocol V2', (v2Share) => {
    const universe = generateUniverse({ ...OPTIONS, v2Share });
    const share = universe.markets.filter(({ version }) => version === 'v2').length / OPTIONS.markets;

    expect(Math.abs(share - v2Share)).toBeLessThan(v2Share === 0.5 ? 0.15 : 1e-9);
  });

  it('makes the position ids of a v2 market from its condition id, and decoys of v1 markets from nothing', () => {
    for (const [n, { version, tokens, conditionId }] of markets.entries()) {
      const { positionIds } = wires[n] as Wire;
      const own = [0n, 1n].map((outcome) => String(BigInt(conditionId) + outcome));
      if (version === 'v2') expect(tokens).toEqual(own);
      else expect(positionIds ?? []).not.toEqual(own);
      expect(wires[n]?.conditionId.padEnd(66, '0')).toBe(conditionId);
    }
    expect(wires.filter(({ version, positionIds }) => version === 'v1' && positionIds).length).toBeGreaterThan(400);
    expect(wires.filter(({ version, clobTokenIds }) => version === 'v2' && clobTokenIds).length).toBeGreaterThan(10);
  });
});
