import { paddedConditionId } from '../../core/domain/condition-id.ts';
import type { ProtocolVersion, SkippedMarket } from '../../core/domain/market.ts';
import { decodePosition, hasPositionLayout, isTokenId } from '../../core/domain/token-id.ts';
import { asList, type WireObject } from './json-values.ts';

interface MarketIds {
  readonly version: ProtocolVersion;
  readonly tokenIds: readonly string[];
}

const ID_FIELDS = { v1: 'clobTokenIds', v2: 'positionIds' } as const;
const MAX_VERSION_CHARACTERS = 20;

/**
 * Selects the ids by the protocol version, never by which field exists (docs/upstream.md, "Versions and ids"). A third
 * of the v1 markets have `positionIds` without an order book.
 */
export function readMarketIds(record: WireObject, conditionId: string, outcomes: number): MarketIds | SkippedMarket {
  const version = protocolVersion(record, conditionId);
  if (typeof version === 'object') return version;
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

/** Upstream adds the ids of a new market some time after the market. */
function isPending(field: unknown): boolean {
  return field === undefined || field === null || field === '';
}

function protocolVersion(record: WireObject, conditionId: string): ProtocolVersion | SkippedMarket {
  const { version } = record;
  if (version === 'v1' || version === 'v2') return version;
  if (version !== undefined && version !== null) {
    const value = typeof version === 'string' ? version : typeof version;
    return { reason: 'version_unknown', version: value.toWellFormed().slice(0, MAX_VERSION_CHARACTERS) };
  }
  const hasPositions = !isPending(record[ID_FIELDS.v2]);
  if (isPending(record[ID_FIELDS.v1])) return { reason: hasPositions ? 'version_missing' : 'ids_pending' };
  return hasPositions ? versionByLayout(asList(record[ID_FIELDS.v2]) ?? [], conditionId) : 'v1';
}

/**
 * The version of a market that has both kinds of ids and no version. On V2 the position ids decode to the market's own
 * condition id. On v1 they are for combos and decode to another one. Other numbers prove neither.
 */
function versionByLayout(positions: readonly unknown[], conditionId: string): ProtocolVersion | SkippedMarket {
  const decoded = positions.map((id) =>
    typeof id === 'string' && isTokenId(id) && hasPositionLayout(id) ? decodePosition(id) : undefined,
  );
  const inOrder = decoded.every((position, outcome) => position?.outcome === outcome);
  if (decoded.length === 0 || !inOrder) return { reason: 'version_missing' };
  const own = paddedConditionId(conditionId);
  return decoded.every((position) => position?.conditionId === own) ? 'v2' : 'v1';
}
