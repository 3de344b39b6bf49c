import type { Draw } from '../dataset/hash.ts';

/** How faults change bodies. Bodies come from the routes of this server, so their shape is known. */

type Markets = readonly unknown[];

/** Applies a change to the markets of a list, in an envelope or bare. */
export function changeMarkets(body: unknown, change: (markets: Markets) => Markets): unknown {
  if (Array.isArray(body)) return change(body);
  if (typeof body !== 'object' || body === null) return body;
  if ('events' in body && Array.isArray(body.events)) {
    return { ...body, events: body.events.map((event: unknown) => changeMarkets(event, change)) };
  }
  if (!('markets' in body) || !Array.isArray(body.markets)) return body;
  return { ...body, markets: change(body.markets) };
}

/** Applies a change to the entries of every object of a body, at every depth. */
export function everyObject(value: unknown, change: (entries: [string, unknown][]) => unknown[][]): unknown {
  if (Array.isArray(value)) return value.map((item) => everyObject(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    everyObject(inner, change),
  ]);
  return Object.fromEntries(change(entries));
}

/** The value in another type that means the same to a person. */
export function retyped(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    return JSON.parse(value);
  } catch {
    return [value];
  }
}

/** A market whose question is very long or holds what no text should. */
export function spoilText(market: unknown, form: 'long' | 'surrogate' | 'control', kb: number): unknown {
  const question = String((market as { readonly question?: unknown }).question ?? '');
  const spoilt = {
    long: `${question} `.repeat(Math.ceil((kb * 1_000) / (question.length + 1))),
    surrogate: `${question} \ud83d`,
    control: `${question} \u001b[2J\u0000`,
  };
  return { ...(market as object), question: spoilt[form] };
}

/** A book, books, or a map by token with the ids of tokens that were not asked for. */
export function otherTokens(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(otherTokens);
  if (typeof body !== 'object' || body === null) return body;
  if ('asset_id' in body) return { ...body, asset_id: otherToken(String(body.asset_id)) };
  if ('history' in body) return { ...body, history: otherTokens(body.history) };
  return Object.fromEntries(Object.entries(body).map(([token, value]) => [otherToken(token), value]));
}

/** The same digits in reverse, never the same number. */
function otherToken(token: string): string {
  return `1${[...token].reverse().join('')}`.slice(0, 77);
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
  { outcomes: '["Yes", "No", "Maybe"]' },
  { version: 'v3' },
  { version: 'V2' },
  { version: 'v2', positionIds: null },
  { version: 'v2', positionIds: ['12', 'abc'] },
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
