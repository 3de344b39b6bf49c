import { type ChangeWindow, pointsBetween } from '../domain/change.ts';
import { byVolume, type CatalogueMarket, type PriceChanges, publicMarket } from '../domain/market.ts';
import { marketDetails } from '../domain/market-details.ts';
import { optional } from '../domain/optional.ts';
import { believedMidpoint, currentProbability } from '../domain/probability.ts';
import { repriced } from '../domain/reprice.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import type { PriceMemory } from './ports.ts';
import type { RunReport } from './run-report.ts';

/**
 * Turns catalogue markets, in list order, into public ones; those nobody has a price for are skipped.
 *
 * @param carried markets of the previous snapshot that keep their facts
 * @param asOf ms: when the midpoints were read
 */
export function enrich(
  markets: readonly CatalogueMarket[],
  carried: readonly SnapshotEntry[],
  midpoints: ReadonlyMap<string, number>,
  memory: PriceMemory,
  asOf: number,
  report: RunReport,
): SnapshotEntry[] {
  const entries: SnapshotEntry[] = [];
  const changes = new Changes(memory, asOf);
  for (const market of markets) {
    const midpoint = midpoints.get(market.yesTokenId);
    const probability = currentProbability(market, midpoint);
    const believed = believedMidpoint(market, midpoint);
    if (probability === undefined) {
      report.skip('price');
      continue;
    }
    if (believed === undefined) report.cataloguePriced += 1;
    const { yesTokenId: clobTokenId } = market;
    entries.push({
      market: publicMarket({ ...market, clobTokenId }, probability, changes.of(clobTokenId, believed)),
      facets: marketDetails(market, probability),
      ...optional('midpoint', believed),
    });
  }
  for (const entry of carried) {
    const { market, facets, midpoint } = repriced(entry, midpoints.get(entry.market.clobTokenId));
    if (midpoint === undefined) report.cataloguePriced += 1;
    entries.push({
      market: publicMarket(market, market.currentProbability, changes.of(market.clobTokenId, midpoint)),
      facets,
      ...optional('midpoint', midpoint),
    });
  }
  if (carried.length > 0) entries.sort((a, b) => byVolume(a.market, b.market));
  report.ownOneDay = changes.ownShare('oneDay');
  report.ownSevenDay = changes.ownShare('sevenDay');
  report.ownThirtyDay = changes.ownShare('thirtyDay');
  return entries;
}

/** The changes of a run, and how many of them come from prices that the service has seen itself. */
class Changes {
  readonly #memory: PriceMemory;
  readonly #asOf: number;
  readonly #own: Record<ChangeWindow, number> = { oneDay: 0, sevenDay: 0, thirtyDay: 0 };
  readonly #all: Record<ChangeWindow, number> = { oneDay: 0, sevenDay: 0, thirtyDay: 0 };

  constructor(memory: PriceMemory, asOf: number) {
    this.#memory = memory;
    this.#asOf = asOf;
  }

  /** Of a market, by the token of its YES. */
  of(token: string, midpoint: number | undefined): PriceChanges {
    return {
      oneDay: this.#over('oneDay', token, midpoint),
      sevenDay: this.#over('sevenDay', token, midpoint),
      thirtyDay: this.#over('thirtyDay', token, midpoint),
    };
  }

  #over(window: ChangeWindow, token: string, midpoint: number | undefined): number | undefined {
    if (midpoint === undefined) return undefined;
    const baseline = this.#memory.baseline(token, window, this.#asOf);
    if (!baseline) return undefined;
    this.#all[window] += 1;
    if (baseline.own) this.#own[window] += 1;
    return pointsBetween(baseline.price, midpoint);
  }

  /** 0 to 1, three decimals. */
  ownShare(window: ChangeWindow): number {
    const share = this.#own[window] / Math.max(1, this.#all[window]);
    return Math.floor(share * 1_000) / 1_000;
  }
}
