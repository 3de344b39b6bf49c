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

/** Makes a fact without which the service cannot run. */
export const needed = (fact: string, otherwise: string, look: Look): Fact => ({
  fact,
  isNeeded: true,
  otherwise,
  look,
});

/** Makes a fact without which a part of the service is worse. */
export const useful = (fact: string, otherwise: string, look: Look): Fact => ({
  ...needed(fact, otherwise, look),
  isNeeded: false,
});

/** Share of a page's records. */
const MIN_READABLE = 0.9;

/** Enough of a page's records to draw a conclusion. */
export const isEnough = (read: number, all: number): boolean =>
  read > 0 && read >= all * MIN_READABLE;

export const volumesOf = (markets: readonly json.WireObject[]): number[] =>
  markets.flatMap(({ volumeNum }) => json.asAmount(volumeNum) ?? []);

/** The finding for a part of what the service requested. It holds for more than half. */
export const most = (found: number, all: number, what: string): Finding => [
  found > all / 2,
  `${found} of ${all} ${what}`,
];

/** Whether a page is in the requested order. Volumes move while pages are cached. */
export function volumeOrder(markets: readonly json.WireObject[]): Finding {
  const volumes = volumesOf(markets);
  const wrong = volumes.filter((volume, n) => volume > (volumes[n - 1] ?? volume)).length;
  const holds = isEnough(volumes.length, markets.length) && wrong <= volumes.length / 20;
  return [
    holds,
    `${volumes.length} of ${markets.length} markets have a volume, ${wrong} are out of order`,
  ];
}
