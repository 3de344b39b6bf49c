import { paddedConditionId } from '../domain/condition-id.ts';
import type { ProtocolVersion, SkipReason } from '../domain/market.ts';
import { decodePosition, hasPositionLayout, isTokenId } from '../domain/token-id.ts';
import { asList, type WireObject } from './json-values.ts';

/** The ids by which the outcomes of a market are traded, in the order of its outcomes. */
export interface MarketIds {
  readonly kind: 'ids';
  readonly version: ProtocolVersion;
  readonly tokenIds: readonly string[];
}

export interface NoMarketIds {
  readonly kind: 'none';
  readonly reason: SkipReason;
}

/** The one field of each version that holds its ids, whatever else is there. */
const FIELD = { v1: 'clobTokenIds', v2: 'positionIds' } as const satisfies Record<ProtocolVersion, string>;

/**
 * Selects the ids by the market's protocol version and never by which field is there: a third of the v1 markets
 * carries `positionIds` for which CLOB has no order book (docs/adr/0012-ids-by-version.md).
 *
 * @param conditionId the market's condition id, in either form
 * @param outcomes how many outcomes the market has
 */
export function readMarketIds(
  record: WireObject,
  conditionId: string,
  outcomes: number,
): MarketIds | NoMarketIds {
  const version = protocolVersion(record, conditionId);
  if (version !== 'v1' && version !== 'v2') return none(version);
  const field = record[FIELD[version]];
  if (isPending(field)) return none('ids_pending');
  const ids = asList(field);
  if (!ids) return none('ids_malformed');
  if (ids.length === 0) return none('ids_pending');
  if (ids.length !== outcomes) return none('ids_count');
  const tokenIds = ids.filter((id) => typeof id === 'string' && isTokenId(id)) as string[];
  if (new Set(tokenIds).size !== outcomes) return none('ids_malformed');
  return { kind: 'ids', version, tokenIds };
}

function none(reason: SkipReason): NoMarketIds {
  return { kind: 'none', reason };
}

/** The ids of a new market come some time after it. */
function isPending(field: unknown): boolean {
  return field === undefined || field === null || field === '';
}

/** `version` is matched exactly, case too; any other value stands for a protocol that this service cannot read. */
function protocolVersion(
  record: WireObject,
  conditionId: string,
): ProtocolVersion | 'version_unknown' | 'version_missing' | 'ids_pending' {
  const { version } = record;
  if (version === 'v1' || version === 'v2') return version;
  if (version !== undefined && version !== null) return 'version_unknown';
  const hasTokens = !isPending(record[FIELD.v1]);
  const hasPositions = !isPending(record[FIELD.v2]);
  if (!hasTokens) return hasPositions ? 'version_missing' : 'ids_pending';
  return hasPositions ? versionByLayout(asList(record[FIELD.v2]), conditionId) : 'v1';
}

/**
 * Tells the version of a market that has both kinds of ids and does not say: on V2 the position ids decode to the
 * market's own condition id, on v1 (where they serve combos) to another one. Numbers without the layout of position
 * ids prove neither.
 */
function versionByLayout(
  positions: readonly unknown[] | undefined,
  conditionId: string,
): ProtocolVersion | 'version_missing' {
  const decoded = (positions ?? []).map((id) =>
    typeof id === 'string' && isTokenId(id) && hasPositionLayout(id) ? decodePosition(id) : undefined,
  );
  const inOrder = decoded.every((position, outcome) => position?.outcome === outcome);
  if (decoded.length === 0 || !inOrder) return 'version_missing';
  const own = paddedConditionId(conditionId);
  return decoded.every((position) => position?.conditionId === own) ? 'v2' : 'v1';
}
