/** Looks up a market that is not in the list, in Gamma, Polymarket's API for its catalogue. */
import {
  canonicalTokenId,
  hasPositionLayout,
  isConditionId,
  isTokenId,
  paddedConditionId,
} from '../../core/domain/ids.ts';
import type { CatalogueMarket, SkippedMarket } from '../../core/domain/market.ts';
import { ServiceError } from '../../core/domain/service-error.ts';
import type { SkipReason } from '../../core/domain/snapshot.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { fieldIf } from '../../core/domain/values.ts';
import type { Upstream } from '../upstream/client.ts';
import { readMarket } from './gamma-market.ts';
import { asInstant, asObject, asText, type WireObject } from './json-values.ts';
import { type MarketRules, readRules } from './market-rules.ts';

/** A market of Gamma's catalogue, open or closed. */
export interface FoundMarket {
  readonly market: CatalogueMarket;
  readonly isClosed: boolean;
  readonly rules: MarketRules;
  /** Earliest time at which Gamma made the response. */
  readonly madeAt: UnixMs;
  readonly closedAt?: string;
  /** The status of the resolution as Gamma writes it. */
  readonly resolutionStatus?: string;
}

/** A market that upstream has, or why the service cannot read it. */
type Found = FoundMarket | SkippedMarket;

function isSkipped(found: Found): found is SkippedMarket {
  return 'reason' in found;
}

/** How one market is requested from Gamma, and how it is recognized in the response. */
interface Selector {
  readonly query: string;
  readonly matches: (market: CatalogueMarket) => boolean;
}

/** Looks up single markets in Gamma's catalogue. */
export class MarketLookup {
  readonly #gamma: Upstream;

  constructor(gamma: Upstream) {
    this.#gamma = gamma;
  }

  /**
   * Finds a market by any of its names. Gamma lists open and closed markets separately, so this
   * makes two parallel calls.
   *
   * @param name condition id in any form, slug, or token of any outcome
   * @returns why the service cannot read the market, if upstream has it; undefined if it does not
   * @throws UpstreamError if one call failed and the other did not find the market
   */
  async marketByName(name: string, deadline: UnixMs): Promise<Found | undefined> {
    const selector = selectorOf(name);
    const results = await Promise.allSettled([
      this.#read(selector, 'open', deadline),
      this.#read(selector, 'closed', deadline),
    ]);
    const candidates = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    );
    const readable = candidates.find((candidate) => !isSkipped(candidate));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed && !readable) throw failed.reason;
    return readable ?? candidates[0];
  }

  #read(selector: Selector, list: 'open' | 'closed', deadline: UnixMs): Promise<readonly Found[]> {
    return this.#gamma.request({
      route: 'market-lookup',
      path: `/markets/keyset?closed=${list === 'closed'}&include_tag=true&${selector.query}`,
      parse: (body, { madeAt }) => readFound(body, selector, madeAt),
      deadline,
    });
  }
}

/** The selector for a condition id, a token or a slug. */
function selectorOf(name: string): Selector {
  if (isConditionId(name)) {
    const padded = paddedConditionId(name);
    // A V2 id has 31 bytes, or 32 with a trailing zero byte. Gamma does not document which it compares.
    const forms = new Set([name.toLowerCase(), padded, padded.replace(/00$/, '')]);
    const query = [...forms].map((id) => `condition_ids=${id}`).join('&');
    return { query, matches: ({ id }) => paddedConditionId(id) === padded };
  }
  if (isTokenId(name)) {
    const token = canonicalTokenId(name);
    // Tokens of V2 have a layout of their own.
    const field = hasPositionLayout(token) ? 'position_ids' : 'clob_token_ids';
    return {
      query: `${field}=${token}`,
      matches: ({ outcomes }) =>
        outcomes.some(({ tokenId }) => canonicalTokenId(tokenId) === token),
    };
  }
  return { query: `slug=${encodeURIComponent(name)}`, matches: ({ slug }) => slug === name };
}

/**
 * The matching markets of a response, and those that the service cannot read: one of them may be
 * the market.
 *
 * @returns undefined if the response is not usable: it is not a list, or it has no such market but
 * a record without a condition id
 */
function readFound(
  body: unknown,
  { matches }: Selector,
  madeAt: UnixMs,
): readonly Found[] | undefined {
  const records = asObject(body)?.markets;
  if (!Array.isArray(records)) return undefined;
  const found: Found[] = [];
  let lacksId = false;
  for (const record of records) {
    const candidate = readFoundMarket(asObject(record) ?? {}, madeAt);
    if (!candidate) lacksId = true;
    else if (isSkipped(candidate) || matches(candidate.market)) found.push(candidate);
  }
  return found.length === 0 && lacksId ? undefined : found;
}

/**
 * A record of any market, open or closed.
 *
 * @returns why the service cannot read it; undefined without a condition id
 */
export function readFoundMarket(record: WireObject, madeAt: UnixMs): Found | undefined {
  const id = asText(record.conditionId) ?? '';
  if (!isConditionId(id)) return undefined;
  const closedAt = asInstant(record.closedTime);
  // Some old markets have no planned end.
  const market = readMarket({ ...record, endDate: record.endDate ?? closedAt }, id);
  if ('reason' in market) return market;
  const status = asText(record.umaResolutionStatus) ?? asText(record.resolutionStatus);
  return {
    market,
    rules: readRules(record),
    madeAt,
    isClosed: record.closed === true || record.archived === true,
    ...fieldIf('closedAt', closedAt),
    ...fieldIf('resolutionStatus', status),
  };
}

/**
 * The error for callers if a market cannot be found or read. It is a 404, because trying again would
 * not help.
 *
 * @param reason why the service cannot read it; undefined if upstream does not have it
 */
export function noMarket(reason?: SkipReason): ServiceError {
  if (reason === undefined)
    return new ServiceError('no_market', 'No market has this condition id, slug or token.');
  return new ServiceError(
    'no_market',
    `Polymarket has this market, but the service cannot read it (${reason}).`,
  );
}
