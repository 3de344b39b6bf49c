import { paddedConditionId } from '../domain/condition-id.ts';
import {
  byVolume,
  type CatalogueMarket,
  type CatalogueRecord,
  type ProtocolVersion,
} from '../domain/market.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import type { Catalogue } from './ports.ts';
import type { RunReport } from './run-report.ts';
import type { SeenMarkets } from './seen-markets.ts';

/** Above some 40 to 50 ids in one address the edge in front of upstream responds with 403 (docs/upstream.md). */
export const IDS_A_CALL = 40;
/** Two, since one may close in that very second. */
const CONTROLS = 2;
/** With the pages of 10,000 markets still below half of upstream's limit. What is beyond, the next run asks for. */
const MOST_CALLS = 20;

/** What has become of markets that the pages did not show. */
export interface Unseen {
  /** Those that are listed after all: they have moved from one page to another while the catalogue was read. */
  readonly found: readonly CatalogueMarket[];
  /** By padded id: they are in no list of open markets any more. */
  readonly closed: ReadonlySet<string>;
}

/**
 * Asks by their ids for markets that were in the previous snapshot and came on no page, so that none is missed however
 * far its volume jumps while the pages are read. Each call also asks for two markets that have just been seen, of each
 * protocol version in question: where neither comes back, silence about the others proves nothing. Of those in
 * neither result nobody knows: the call failed, the response cannot be trusted, or there were too many. Never throws.
 *
 * @param entries in list order
 * @param seen on this run's pages
 * @param deadline absolute ms
 */
export async function askForUnseen(
  catalogue: Catalogue,
  entries: readonly SnapshotEntry[],
  seen: readonly CatalogueMarket[],
  seenMarkets: SeenMarkets,
  deadline: number,
  report: RunReport,
): Promise<Unseen> {
  const found: CatalogueMarket[] = [];
  const closed = new Set<string>();
  const controls = controlsAmong(seen);
  const room = IDS_A_CALL - [...controls.values()].flat().length;
  const groups: (readonly SnapshotEntry[])[] = [];
  for (let start = 0; start < entries.length && groups.length < MOST_CALLS; start += room) {
    groups.push(entries.slice(start, start + room));
  }
  report.unseen = entries.length;
  const ask = async (group: readonly SnapshotEntry[]): Promise<void> => {
    report.unseenCalls += 1;
    const versions = new Set(group.map(({ facets }) => facets.protocolVersion));
    const asked = [...controls].flatMap(([version, known]) => (versions.has(version) ? known : []));
    const ids = [...group.map(({ market }) => market.id), ...asked];
    try {
      const response = responseOf(ids, asked, await catalogue.find(ids, deadline));
      found.push(...seenMarkets.take(response.records).fresh);
      if (!response.isWhole) return;
      for (const { market, facets } of group) {
        // Without a control V1 is believed: it has been seen that the list is filtered by its ids. Of V2 nobody has seen it.
        const known = controls.get(facets.protocolVersion);
        const isTrusted = known?.some(response.has) ?? facets.protocolVersion === 'v1';
        if (isTrusted && !response.has(market.id)) closed.add(paddedConditionId(market.id));
      }
    } catch {
      report.unseenCallsFailed += 1;
    }
  };
  await Promise.all(groups.map(ask));
  report.unseenFound = found.length;
  return { found, closed };
}

/** Markets of each protocol version that are there, by their ids: the largest, which will be there in a second, too. */
function controlsAmong(seen: readonly CatalogueMarket[]): Map<ProtocolVersion, readonly string[]> {
  const versions = Map.groupBy(seen, ({ protocolVersion }) => protocolVersion);
  return new Map(
    [...versions].map(([version, markets]) => [
      version,
      markets
        .sort(byVolume)
        .slice(0, CONTROLS)
        .map(({ id }) => id),
    ]),
  );
}

/** @throws when the response holds what was not asked for: the catalogue ignores the ids */
function responseOf(ids: readonly string[], controls: readonly string[], all: readonly CatalogueRecord[]) {
  const wanted = new Set(ids.map(paddedConditionId));
  const known = new Set(controls.map(paddedConditionId));
  const named = new Set(all.flatMap(({ id }) => (id === undefined ? [] : [id])));
  for (const id of named) {
    if (!wanted.has(id)) throw new Error('The catalogue does not keep to condition ids');
  }
  return {
    /** Those that are no controls. */
    records: all.filter(({ id }) => id === undefined || !known.has(id)),
    /** Each record can be told; another might be any of the markets. */
    isWhole: all.every(({ id }) => id !== undefined),
    has: (id: string) => named.has(paddedConditionId(id)),
  };
}
