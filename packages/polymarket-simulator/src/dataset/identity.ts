import { Draw, hexWords, mix } from './hash.ts';
import {
  decoyPositionIds,
  type Protocol,
  paddedCondition,
  positionIds,
  v1ConditionId,
  v2ConditionId,
} from './protocol.ts';
import { RATES } from './rates.ts';
import { tokenOf } from './tokens.ts';

/** How Gamma and the CLOB name a market; undefined fields are left out on the wire. */
export interface Identity {
  readonly protocol: Protocol;
  /** What Gamma says, which may be a version that nobody knows, or nothing. */
  readonly version: string | undefined;
  /** In the form that Gamma writes: 62 or 64 hex digits. */
  readonly conditionId: string;
  /** 64 hex digits, as the CLOB and the Data API have it. */
  readonly paddedConditionId: string;
  /** The ids that have books and histories, by outcome. */
  readonly assetIds: readonly [string, string];
  readonly clobTokenIds: readonly string[] | null | undefined;
  readonly positionIds: readonly string[] | undefined;
}

export interface IdentityInput {
  readonly seed: number;
  readonly index: number;
  readonly protocol: Protocol;
  readonly negRisk: boolean;
  readonly orderBook: boolean;
  /** Markets younger than a day have no ids for combos yet. */
  readonly young: boolean;
}

/** The ids of a market. `version` decides which of the two fields counts, never which of them is there. */
export function identityOf(input: IdentityInput): Identity {
  const key = mix(input.seed, input.index);
  const has = (rate: keyof typeof RATES) => new Draw(key, rate).chance(RATES[rate]);
  return input.protocol === 'v2' ? v2Identity(input, key, has) : v1Identity(input, key, has);
}

type Chance = (rate: keyof typeof RATES) => boolean;

function v1Identity({ seed, index, orderBook, young }: IdentityInput, key: number, has: Chance): Identity {
  const conditionId = v1ConditionId(key);
  const assetIds = [tokenOf(seed, index, 0), tokenOf(seed, index, 1)] as const;
  return {
    protocol: 'v1',
    version: has('unknownVersion') ? 'v3' : has('withoutVersion') ? undefined : 'v1',
    conditionId,
    paddedConditionId: conditionId,
    assetIds,
    clobTokenIds: orderBook && !has('pendingIds') ? assetIds : undefined,
    positionIds: has('decoyIds') && !young ? decoyPositionIds(conditionId) : undefined,
  };
}

function v2Identity({ seed, index, orderBook, negRisk }: IdentityInput, key: number, has: Chance): Identity {
  const own = v2ConditionId(seed, index, negRisk);
  const assetIds = positionIds(own);
  return {
    protocol: 'v2',
    version: 'v2',
    conditionId: has('paddedCondition') ? paddedCondition(own) : own,
    paddedConditionId: paddedCondition(own),
    assetIds,
    clobTokenIds: has('decoyTokens') ? [decoyToken(key, 0), decoyToken(key, 1)] : null,
    positionIds: orderBook && !has('pendingV2Ids') ? assetIds : undefined,
  };
}

/** Looks like a v1 token id and was never given out. */
function decoyToken(key: number, outcome: number): string {
  return BigInt(`0x5${hexWords(mix(key, 0xdec0 + outcome), 8).slice(1)}`).toString();
}
