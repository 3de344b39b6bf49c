import { isConditionId, paddedConditionId } from '../../core/domain/ids.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { GAMMA_PAGE_MARKETS } from './gamma-catalogue.ts';
import { asObject, asText, type WireObject } from './json-values.ts';

/** Per call: Gamma's firewall rejects longer addresses (docs/upstream.md). */
export const RULES_BATCH_CONDITIONS = 40;

/** How Polymarket decides a market. Plain text; a field is absent if Gamma has none. */
export interface MarketRules {
  readonly description?: string;
  /** A web address or a name. */
  readonly resolutionSource?: string;
}

/** Reads the rules of a Gamma record (docs/upstream.md). Never throws. */
export function readRules(record: WireObject): MarketRules {
  return {
    ...fieldIf('description', asRulesText(record.description)),
    ...fieldIf('resolutionSource', asRulesText(record.resolutionSource)?.replaceAll('\n', ' ')),
  };
}

export interface ReadRules extends MarketRules {
  /** Earliest time of Gamma's response. */
  readonly readAt: UnixMs;
}

export class GammaRules {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * @param ids 1 to RULES_BATCH_CONDITIONS, as the catalogue wrote them
   * @param areClosed Gamma lists open and closed markets separately
   * @returns by padded condition id; only the markets that Gamma lists
   * @throws UpstreamError
   */
  read(ids: readonly string[], areClosed: boolean, limits: CallLimits): Promise<ReadonlyMap<string, ReadRules>> {
    // Gamma compares lower-case ids, and without a limit it returns 20 markets.
    const query = ids.map((id) => `condition_ids=${id.toLowerCase()}`).join('&');
    return this.#upstream.request({
      route: 'markets-keyset',
      path: `/markets/keyset?limit=${GAMMA_PAGE_MARKETS}&closed=${areClosed}&${query}`,
      parse: (body, { madeAt }) => readRulesPage(body, madeAt),
      ...limits,
    });
  }
}

function readRulesPage(body: unknown, readAt: UnixMs): ReadonlyMap<string, ReadRules> | undefined {
  const records = asObject(body)?.markets;
  if (!Array.isArray(records)) return undefined;
  return new Map(
    records.flatMap((value: unknown): [string, ReadRules][] => {
      const record = asObject(value) ?? {};
      const id = asText(record.conditionId) ?? '';
      return isConditionId(id) ? [[paddedConditionId(id), { ...readRules(record), readAt }]] : [];
    }),
  );
}

const LINE_BREAK = /\r\n|[\r\u0085\u2028\u2029]/g;
/** Control, bidirectional, zero-width and tag characters can hide from a person what a program reads. */
const INVISIBLE =
  /[^\P{Cc}\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Joiners shape letters and emoji. Anywhere else they only hide. */
const LOOSE_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{Extended_Pictographic}])/gu;

/** Trimmed, not blank. Keeps line breaks, as `\n`. */
function asRulesText(value: unknown): string | undefined {
  const text = asText(value)?.replace(LINE_BREAK, '\n').replaceAll('\t', ' ');
  return asText(text?.replace(INVISIBLE, '').replace(LOOSE_JOINER, ''));
}
