/** Small helpers for numbers, objects, lists and JSON that know nothing of markets. */

/**
 * Rounds to three decimals, halves away from zero. Rounding to 12 digits first removes binary
 * noise: the nearest double of 0.5005 is smaller.
 */
export function roundTo3(value: number): number {
  const thousandths = Math.round(Number((Math.abs(value) * 1_000).toPrecision(12)));
  const rounded = (Math.sign(value) * thousandths) / 1_000;
  return rounded === 0 ? 0 : rounded; // never -0
}

/**
 * An object to spread: it has the key only if there is a value.
 *
 * @example fieldIf('slug', 'rain') // { slug: 'rain' }
 * @example fieldIf('slug', undefined) // {}
 */
export function fieldIf<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

/** `OptionalFields<{ id: string; slug?: string }>` is `{ slug?: string }`. */
export type OptionalFields<T> = { [F in keyof T as object extends Pick<T, F> ? F : never]: T[F] };

/**
 * The fields that have a value. The type requires the name of each field of `T`, so that code
 * cannot forget one.
 *
 * @example definedFields<BookSides>({ bid: 0.4, ask: undefined }) // { bid: 0.4 }
 */
export function definedFields<T>(fields: { [F in keyof T]-?: T[F] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** The entries in their order, in groups of `size`; the last group may be smaller. */
export function inGroups<T>(entries: readonly T[], size: number): T[][] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, n) => entries.slice(n * size, (n + 1) * size));
}

/** The sum of amounts in USD. They have six decimals; more digits are binary noise. */
export function sumOfAmounts(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(6));
}

/** Parses JSON without throwing. @returns undefined for a text that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * True if lists and objects nest deeper than `levels`. Stops there, so that deep values cannot
 * exhaust the stack.
 */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}

/** An entry that must exist. @throws RangeError: a missing entry is a bug, never a default */
export function itemAt<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`No entry ${index} in a list of ${list.length}`);
  return entry;
}
