/** The rules by which Polymarket decides markets, from Gamma, its API for the catalogue. */
import { isConditionId, paddedConditionId } from '../../core/domain/ids.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { GAMMA_PAGE_MARKETS } from './gamma-catalogue.ts';
import { asLines, asObject, asText, type WireObject } from './json-values.ts';

/** How Polymarket decides a market, as plain text. A field is absent if Gamma does not have it. */
export interface MarketRules {
  readonly description?: string;
  /** A web address or a name. */
  readonly resolutionSource?: string;
}

/** Rules, and how old they may be. */
export interface DatedRules extends MarketRules {
  /** Gamma made the response at this time or later. */
  readonly readAt: UnixMs;
}

/** Reads the rules of many markets from Gamma. */
export class GammaRules {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * Makes one call to Gamma.
   *
   * @param ids 1 to `MAX_CONDITION_IDS`, as in the catalogue
   * @param areClosed Gamma lists open and closed markets separately
   * @returns by padded condition id, without markets that Gamma lacks
   * @throws UpstreamError
   */
  read(
    ids: readonly string[],
    areClosed: boolean,
    limits: CallLimits,
  ): Promise<ReadonlyMap<string, DatedRules>> {
    // Gamma compares lower-case ids and returns 20 markets by default.
    const query = ids.map((id) => `condition_ids=${id.toLowerCase()}`).join('&');
    return this.#upstream.request({
      route: 'markets-keyset',
      path: `/markets/keyset?limit=${GAMMA_PAGE_MARKETS}&closed=${areClosed}&${query}`,
      parse: (body, { madeAt }) => readRulesPage(body, madeAt),
      ...limits,
    });
  }
}

/** The rules of a page by padded condition id. @returns undefined if the page is not usable */
function readRulesPage(body: unknown, madeAt: UnixMs): ReadonlyMap<string, DatedRules> | undefined {
  const records = asObject(body)?.markets;
  if (!Array.isArray(records)) return undefined;
  const rules = new Map<string, DatedRules>();
  for (const record of records.map(asObject)) {
    const id = asText(record?.conditionId) ?? '';
    if (record && isConditionId(id))
      rules.set(paddedConditionId(id), { ...readRules(record), readAt: madeAt });
  }
  return rules;
}

/** Reads the rules of a Gamma record (docs/upstream.md). Never throws. */
export function readRules(record: WireObject): MarketRules {
  return {
    ...fieldIf('description', asLines(record.description)),
    ...fieldIf('resolutionSource', asText(record.resolutionSource)),
  };
}
