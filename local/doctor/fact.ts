import * as json from '../../lambda/io/polymarket/json-values.ts';
import type { Visit } from './visit.ts';

export type Finding = readonly [holds: boolean, seen: string];
type Look = (visit: Visit) => Promise<Finding>;

export interface Fact {
  readonly fact: string;
  /** True if the service cannot run without it. */
  readonly isNeeded: boolean;
  /** What happens if the fact does not hold. */
  readonly otherwise: string;
  readonly look: Look;
}

export const needed = (fact: string, otherwise: string, look: Look): Fact => ({
  fact,
  isNeeded: true,
  otherwise,
  look,
});
export const useful = (fact: string, otherwise: string, look: Look): Fact => ({
  fact,
  isNeeded: false,
  otherwise,
  look,
});

/** Share of a page's records. */
const MIN_READABLE = 0.9;
/** No market has this token. */
export const UNKNOWN_TOKEN = '1';

/** Enough of a page's records to draw a conclusion. */
export const isEnough = (read: number, all: number): boolean =>
  read > 0 && read >= all * MIN_READABLE;

export const volumesOf = (markets: readonly json.WireObject[]): number[] =>
  markets.flatMap(({ volumeNum }) => json.asAmount(volumeNum) ?? []);

/** A word of upstream, if it is one. */
export function wordOf(value: unknown): string | undefined {
  const text = json.asText(value);
  return text === undefined || /^[\w-]{1,20}$/.test(text) ? text : 'other';
}

/** How many markets have more volume than the one before. */
export function outOfOrder(volumes: readonly number[]): number {
  return volumes.filter((volume, n) => volume > (volumes[n - 1] ?? volume)).length;
}
