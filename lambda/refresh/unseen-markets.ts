import { paddedConditionId } from '../domain/condition-id.ts';
import type { CatalogueMarket } from '../domain/market.ts';
import type { SnapshotEntry } from '../domain/snapshot.ts';
import type { Catalogue } from './ports.ts';
import type { RunReport } from './run-report.ts';
import type { Sightings } from './sightings.ts';

/** Above some 40 to 50 ids in one address the edge in front of upstream responds with 403 (docs/upstream.md). */
export const IDS_A_CALL = 40;
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
 * far its volume jumps while the pages are read. Of those in neither result nobody knows: the call failed, the response
 * cannot be trusted, there were too many, or the market is of Protocol V2, of which nobody has seen which form of its
 * condition id the list is filtered by. Never throws.
 *
 * @param entries in list order
 * @param deadline absolute ms
 */
export async function askForUnseen(
  catalogue: Catalogue,
  entries: readonly SnapshotEntry[],
  sightings: Sightings,
  deadline: number,
  report: RunReport,
): Promise<Unseen> {
  const found: CatalogueMarket[] = [];
  const closed = new Set<string>();
  const groups: (readonly SnapshotEntry[])[] = [];
  for (let start = 0; start < entries.length && groups.length < MOST_CALLS; start += IDS_A_CALL) {
    groups.push(entries.slice(start, start + IDS_A_CALL));
  }
  report.unseen = entries.length;
  const ask = async (group: readonly SnapshotEntry[]): Promise<void> => {
    report.unseenCalls += 1;
    const ids = new Set(group.map(({ market }) => paddedConditionId(market.id)));
    try {
      const records = await catalogue.find(
        group.map(({ market }) => market.id),
        deadline,
      );
      const named = records.flatMap(({ id }) => (id === undefined ? [] : [id]));
      if (named.some((id) => !ids.has(id))) throw new Error('The catalogue does not keep to condition ids');
      found.push(...sightings.take(records).fresh);
      // A record that cannot be told might be any of them.
      if (named.length < records.length) return;
      const there = new Set(named);
      for (const { market, facets } of group) {
        const id = paddedConditionId(market.id);
        if (!there.has(id) && facets.protocolVersion === 'v1') closed.add(id);
      }
    } catch {
      report.unseenCallsFailed += 1;
    }
  };
  await Promise.all(groups.map(ask));
  report.unseenFound = found.length;
  return { found, closed };
}
