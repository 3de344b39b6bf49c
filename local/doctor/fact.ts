/**
 * What a fact of the doctor is, and helpers to check one. The doctor (`npm run doctor`) calls the
 * real Polymarket and checks the facts on which this service relies.
 */
import * as json from '../../lambda/io/polymarket/json-values.ts';
import type { Visit } from './visit.ts';

/** What the doctor found about a fact: whether it holds, and what it saw: `0 of 100 tokens`. */
export type Finding = readonly [holds: boolean, seen: string];

/** A fact about Polymarket, such as "Gamma lists open markets". */
export interface Fact {
  readonly fact: string;
  /** Set if the service cannot run without it. Otherwise only a part of the service is worse. */
  readonly isNeeded?: true;
  /** What happens if the fact does not hold. */
  readonly otherwise: string;
  /** Checks the fact. @throws Error if a call fails, which is a finding too */
  readonly look: (visit: Visit) => Promise<Finding>;
}

/** The share of a page's records that is enough for a conclusion about the page. */
const MIN_READABLE_SHARE = 0.9;
/** The share of the neighbours on a page that may be out of order. */
const MAX_DISORDER_SHARE = 1 / 20;

/** Whether enough of a page's records could be read to draw a conclusion. */
export function isEnough(read: number, all: number): boolean {
  return read > 0 && read >= all * MIN_READABLE_SHARE;
}

/** The volumes of the markets that have one, in USD. */
export function volumesOf(markets: readonly json.WireObject[]): number[] {
  return markets.flatMap(({ volumeNum }) => json.asAmount(volumeNum) ?? []);
}

/**
 * The finding about things of which Polymarket must return more than half.
 *
 * @example most(20, 100, 'tokens') // [false, '20 of 100 tokens']
 */
export function most(found: number, all: number, what: string): Finding {
  return [found > all / 2, `${found} of ${all} ${what}`];
}

/** Whether a page is sorted by descending volume. Volumes move while pages are cached. */
export function volumeOrder(markets: readonly json.WireObject[]): Finding {
  const volumes = volumesOf(markets);
  const wrong = volumes.filter((volume, n) => volume > (volumes[n - 1] ?? volume)).length;
  const isSorted = wrong <= volumes.length * MAX_DISORDER_SHARE;
  return [
    isEnough(volumes.length, markets.length) && isSorted,
    `${volumes.length} of ${markets.length} markets have a volume, ${wrong} are out of order`,
  ];
}
