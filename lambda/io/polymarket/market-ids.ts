/**
 * The token ids of a market in a Gamma record. Polymarket has two versions of its protocol, v1 and
 * v2. The ids of each are in another field of the record.
 */
import { isTokenId } from '../../core/domain/ids.ts';
import type { ProtocolVersion, SkippedMarket } from '../../core/domain/market.ts';
import { asList, type WireObject } from './json-values.ts';

/** The ids by which the outcomes of a market trade, in the order of the outcomes. */
interface MarketIds {
  readonly version: ProtocolVersion;
  readonly tokenIds: readonly string[];
}

/** The field of a record that has the ids of a version. */
const ID_FIELDS = { v1: 'clobTokenIds', v2: 'positionIds' } as const;
/** The service reports this much of the name of an unsupported version. */
const MAX_VERSION_CHARACTERS = 20;

/**
 * Selects the token ids of a market. The record's version decides, not which field exists: a third
 * of v1 markets also have `positionIds`, which have no order book (docs/upstream.md, "Versions and
 * ids").
 *
 * @param outcomes how many outcomes the market has
 * @returns why the market is skipped, if its ids are not usable
 */
export function readMarketIds(record: WireObject, outcomes: number): MarketIds | SkippedMarket {
  const version = protocolVersion(record);
  if (typeof version !== 'string') return version;
  const field = record[ID_FIELDS[version]];
  if (isPending(field)) return { reason: 'ids_pending' };
  const ids = asList(field);
  if (!ids) return { reason: 'ids_malformed' };
  if (ids.length === 0) return { reason: 'ids_pending' };
  if (ids.length !== outcomes) return { reason: 'ids_count' };
  const tokenIds = ids.filter((id) => typeof id === 'string' && isTokenId(id)) as string[];
  if (new Set(tokenIds).size !== outcomes) return { reason: 'ids_malformed' };
  return { version, tokenIds };
}

/** Whether the ids are still missing: upstream publishes a new market before its ids. */
function isPending(field: unknown): boolean {
  return field === undefined || field === null || field === '';
}

/**
 * The version of a record, or why it is skipped: any value except `v1` and `v2` is a protocol that
 * this service cannot read. A record without a value is v1, unless it has ids of v2.
 */
function protocolVersion(record: WireObject): ProtocolVersion | SkippedMarket {
  const { version } = record;
  if (version === 'v1' || version === 'v2') return version;
  if (version !== undefined && version !== null) {
    const value = typeof version === 'string' ? version : typeof version;
    return {
      reason: 'version_unknown',
      version: value.toWellFormed().slice(0, MAX_VERSION_CHARACTERS),
    };
  }
  return isPending(record[ID_FIELDS.v2]) ? 'v1' : { reason: 'version_missing' };
}
