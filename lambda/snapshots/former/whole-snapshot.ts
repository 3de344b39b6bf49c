import type { Market, MarketDetails } from '../../domain/market.ts';
import type { SnapshotEntry } from '../../domain/snapshot.ts';
import { BrokenSnapshotError } from '../broken-snapshot-error.ts';
import { type DecodedSnapshot, TableSnapshot, unpack, whole } from '../codec.ts';
import { tableOf } from '../stored-markets.ts';

/** What parted the list from the facets in snapshots of version 0.1. */
const SECTION = '\n\f\n';

/**
 * A snapshot that version 0.1 has written: the texts of the list and of the facets, whole. Needed from the deployment of
 * a new version until its first run has published, some seconds later.
 *
 * @throws BrokenSnapshotError when the chunks are not those that were written, or do not hold `markets` markets
 */
export function decodeWholeSnapshot(
  chunks: readonly Uint8Array[],
  checksum: string,
  markets: number,
): DecodedSnapshot {
  const text = Buffer.from(unpack(whole(chunks, checksum, 'snapshot'))).toString('utf8');
  const [list = '', facets = ''] = text.split(SECTION);
  const lines = list === '' ? [] : list.split(',\n');
  if (lines.length !== markets) {
    throw new BrokenSnapshotError(`Expected ${markets} markets, found ${lines.length}`);
  }
  const details = facets.split('\n');
  return new TableSnapshot(tableOf(lines.map((line, n) => entryOf(line, details[n] || '{}'))));
}

function entryOf(line: string, facets: string): SnapshotEntry {
  const market: Market = JSON.parse(line);
  const details: Partial<MarketDetails> = JSON.parse(facets);
  const outcomes = [{ label: 'Yes', tokenId: market.clobTokenId, probability: market.currentProbability }];
  return { market, facets: { outcomes, protocolVersion: 'v1', ...details, tags: details.tags ?? [] } };
}
