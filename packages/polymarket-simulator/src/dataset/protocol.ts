import { Draw, hexWords, mix } from './hash.ts';
import { RATES } from './rates.ts';
import { scramble, unscramble } from './scramble.ts';

/**
 * Protocol V2 among generated markets: who is on it, and the ids it brings (docs/upstream.md). A position id is the
 * 31-byte condition id followed by one outcome byte; a condition id is a module byte, 16 hashed bytes and zeros.
 */

export type Protocol = 'v1' | 'v2';

/** Markets that belong to one event. */
export const EVENT_MARKETS = 4;

const HASH_WORDS = 3;
const SALT = 0x51d5;
/** Arity, reserved bytes, resolution chain and condition index are zero in every condition id seen. */
const ZEROS = '0'.repeat(28);

/** Whether the market at `index` asks the question of the one before it again, under the other protocol. */
export function isTwin(seed: number, index: number, v2Share: number): boolean {
  if (index % EVENT_MARKETS === 0 || v2Share <= 0 || v2Share >= 1) return false;
  return new Draw(mix(seed, index), 'twin').chance(RATES.twin);
}

/** The protocol of a market; raising the share only ever moves markets from v1 to v2, twins apart. */
export function protocolOf(seed: number, index: number, v2Share: number): Protocol {
  if (isTwin(seed, index, v2Share)) return protocolOf(seed, index - 1, v2Share) === 'v1' ? 'v2' : 'v1';
  return new Draw(mix(seed, index), 'protocol').chance(v2Share) ? 'v2' : 'v1';
}

/** A v2 condition id in its own form: `0x` and 62 hex digits. */
export function v2ConditionId(seed: number, index: number, negRisk: boolean): string {
  const low = scramble(seed, SALT, index);
  return `0x${negRisk ? '02' : '01'}${hexWords(mix(mix(seed, low), 0x7043), HASH_WORDS)}${word(low)}${ZEROS}`;
}

/** A v1 condition id: `0x` and 64 hex digits. */
export function v1ConditionId(key: number): string {
  return `0x${hexWords(mix(key, 0xc0d), 8)}`;
}

/** The form at every 32-byte boundary (CLOB, Data API): right-padded with a zero byte. */
export function paddedCondition(conditionId: string): string {
  return conditionId.length === 64 ? `${conditionId}00` : conditionId;
}

/** The two position ids of a 31-byte condition id: decimal strings. */
export function positionIds(conditionId: string): readonly [string, string] {
  return [BigInt(`${conditionId}00`).toString(), BigInt(`${conditionId}01`).toString()];
}

/** Position ids that v1 markets carry for combos: the v2 layout over the end of their own condition id. */
export function decoyPositionIds(v1Condition: string): readonly [string, string] {
  return positionIds(`0x01${v1Condition.slice(-32)}${ZEROS}`);
}

/** The market that a position id of the v2 form may belong to; whether it does is seen by making its id again. */
export function readPositionId(seed: number, id: string): { index: number; outcome: 0 | 1 } | undefined {
  if (!/^\d{70,78}$/.test(id)) return undefined;
  const hex = BigInt(id).toString(16).padStart(64, '0');
  const parts = /^0[12][0-9a-f]{24}([0-9a-f]{8})0{28}0([01])$/.exec(hex);
  if (parts === null) return undefined;
  const index = unscramble(seed, SALT, Number.parseInt(parts[1] ?? '', 16));
  return { index, outcome: parts[2] === '1' ? 1 : 0 };
}

/** The market that a v2 condition id of either width may belong to. */
export function readV2ConditionId(seed: number, conditionId: string): number | undefined {
  const parts = /^0x0[12][0-9a-f]{24}([0-9a-f]{8})0{28}(?:00)?$/.exec(conditionId);
  return parts === null ? undefined : unscramble(seed, SALT, Number.parseInt(parts[1] ?? '', 16));
}

function word(value: number): string {
  return value.toString(16).padStart(8, '0');
}
