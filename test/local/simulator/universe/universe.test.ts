import { describe, expect, it } from '@jest/globals';
import { middle } from '../../../../local/simulator/prices.ts';
import { generateUniverse } from '../../../../local/simulator/universe/universe.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DAY_MS = 86_400_000;
const OPTIONS = { seed: 1, markets: 2_500, v2Share: 0.2, now: NOW };
const { markets } = generateUniverse(OPTIONS);

interface Wire {
  readonly outcomes?: string | null;
  readonly clobTokenIds?: string | null;
  readonly positionIds?: readonly string[];
  readonly conditionId: string;
  readonly version?: string;
  readonly events: readonly { readonly slug: string; readonly title: string; readonly endDate?: string }[];
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

  it.each([0, 3, 40])('prices exclusive markets so that they add up to about 1, %i days later', (days) => {
    const exclusive = [...byEvent.values()].filter((event) => event[0]?.market.negRisk);
    // The last event can be cut off.
    const sums = exclusive.slice(0, -1).map((event) => prices(event, NOW + days * DAY_MS).reduce((a, b) => a + b, 0));

    expect(exclusive.length).toBeGreaterThan(100);
    expect(Math.min(...sums)).toBeGreaterThan(0.95);
    expect(Math.max(...sums)).toBeLessThan(1.05);
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
