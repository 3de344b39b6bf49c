import type { Draw } from '../dataset/hash.ts';

/** How faults change bodies. Bodies come from the routes of this server, so their shape is known. */

type Markets = readonly unknown[];

/** Applies a change to the markets of a list, in an envelope or bare. */
export function changeMarkets(body: unknown, change: (markets: Markets) => Markets): unknown {
  if (Array.isArray(body)) return change(body);
  if (typeof body !== 'object' || body === null || !('markets' in body) || !Array.isArray(body.markets))
    return body;
  return { ...body, markets: change(body.markets) };
}

const SPOILS: readonly [Spoil, ...Spoil[]] = [
  { outcomes: '["Yes", "No"' },
  { outcomes: '["Yes"]' },
  { outcomes: '{"0":"Yes"}' },
  { outcomePrices: '["zero", "one"]' },
  { clobTokenIds: '[123, 456]' },
  { clobTokenIds: 'null' },
  { conditionId: undefined },
  { conditionId: '0x12' },
  { question: undefined },
  { endDate: 'NOW*()' },
  { volume: 'NaN', volumeNum: undefined },
];
type Spoil = Readonly<Record<string, unknown>>;

/** A market with one field broken. */
export function spoilMarket(market: unknown, draw: Draw): unknown {
  return { ...(market as object), ...draw.pick(SPOILS) };
}

/** A midpoint that is none. */
export function spoilMidpoint(draw: Draw): unknown {
  return draw.pick(['1.5', '-0.25', 'NaN', '', 'Infinity', '0x1', 0.5, null, ['0.5'], { mid: '0.5' }]);
}

/** The body with values of wrong types, level by level the same names. */
export function nonsenseOf(body: unknown, variant: 'values' | 'not-array' | 'null' | 'empty'): unknown {
  if (variant === 'null') return null;
  if (variant === 'empty') return {};
  if (Array.isArray(body)) return variant === 'not-array' ? { 0: 'nonsense' } : nonsenseList(body);
  const entries = Object.entries(body as object).map(([name, value]) => {
    if (variant === 'not-array') return [name, typeof value === 'object' ? 'nonsense' : value];
    if (Array.isArray(value)) return [name, nonsenseList(value)];
    if (typeof value === 'object' && value !== null) return [name, nonsenseOf(value, variant)];
    // The cursor stays, so that a crawl goes on over pages of nonsense.
    return [name, name === 'next_cursor' ? value : nonsenseValue(value)];
  });
  return Object.fromEntries(entries);
}

/** Null, text, numbers, nested arrays and objects with wrong values, in turn. */
function nonsenseList(list: readonly unknown[]): readonly unknown[] {
  return list.map((item, index) => {
    if (index % 5 === 0) return null;
    if (index % 5 === 1) return 'nonsense';
    if (index % 5 === 2) return [[item]];
    if (index % 5 === 3) return 42;
    if (typeof item !== 'object' || item === null) return nonsenseValue(item);
    return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, nonsenseValue(value)]));
  });
}

function nonsenseValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'boolean') return value ? 'false' : 'true';
  return { nested: [value] };
}
