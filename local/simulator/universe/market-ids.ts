/** The ids of simulated markets: condition ids, and tokens for the outcomes. */
import { hexWords, mix } from '../random.ts';
import type { GeneratedEvent } from './topics.ts';
import type { Oddities } from './wire-market.ts';

/** A Protocol V2 condition id ends with 14 zero bytes. */
const V2_ZEROS = '0'.repeat(28);
/** The characters of a condition id of 32 bytes, with its "0x". */
const CONDITION_LENGTH = 66;

/**
 * The ids of a market, and the fields of Gamma's record that contain them. The version decides
 * which of these fields counts (docs/upstream.md); the other one can have ids that must be ignored.
 *
 * @param key the seed of the market
 */
export function idsOf(key: number, { v2, negRisk }: GeneratedEvent, odd: Oddities) {
  return v2 ? v2Ids(key, negRisk, odd) : v1Ids(key, odd);
}

/** The ids of Protocol V1: two random tokens, in `clobTokenIds`. */
function v1Ids(key: number, odd: Oddities) {
  const conditionId = `0x${hexWords(key, 8)}`;
  const tokens = [tokenId(key, 0), tokenId(key, 1)] as const;
  const decoys = positionIds(`0x01${conditionId.slice(-32)}${V2_ZEROS}`);
  const usualVersion = odd.withoutVersion ? undefined : 'v1';
  return {
    version: 'v1' as const,
    conditionId,
    tokens,
    record: {
      version: odd.unknownVersion ? 'v3' : usualVersion,
      conditionId,
      positionIds: odd.decoyPositions ? decoys : undefined,
      clobTokenIds: odd.pendingIds ? undefined : tokens,
    },
  };
}

/** The ids of Protocol V2: two tokens that follow from the condition id, in `positionIds`. */
function v2Ids(key: number, negRisk: boolean, odd: Oddities) {
  const condition = `0x${negRisk ? '02' : '01'}${hexWords(key, 4)}${V2_ZEROS}`;
  const paddedId = condition.padEnd(CONDITION_LENGTH, '0');
  const tokens = positionIds(condition);
  return {
    version: 'v2' as const,
    conditionId: paddedId,
    tokens,
    record: {
      version: 'v2',
      conditionId: odd.padded ? paddedId : condition,
      positionIds: odd.pendingIds ? undefined : tokens,
      clobTokenIds: odd.decoyTokens ? [tokenId(key, 2), tokenId(key, 3)] : null,
    },
  };
}

/** A token of Protocol V1: 256 random bits in decimal. */
function tokenId(key: number, purpose: number): string {
  return BigInt(`0x${hexWords(mix(key, 0x70c0 + purpose), 8)}`).toString();
}

/** The tokens of Protocol V2: 31 bytes of the condition id, then the outcome's number as a byte. */
function positionIds(condition: string): readonly [string, string] {
  return [BigInt(`${condition}00`).toString(), BigInt(`${condition}01`).toString()];
}
