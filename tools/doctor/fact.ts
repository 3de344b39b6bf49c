/** What each fact about an upstream consists of, and how a look at it ends. */
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

/** @returns whether all points of a history have a price */
export function historyFinding(status: number, points: unknown, price: 'p' | 'price'): Finding {
  const list = json.asList(points) ?? [];
  const readable = list.filter(
    (point) => json.asPrice(json.asObject(point)?.[price]) !== undefined,
  ).length;
  return [list.length > 0 && readable === list.length, `status ${status}, ${list.length} points`];
}
