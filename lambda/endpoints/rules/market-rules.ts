import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import { canonicalName } from '../../core/domain/ids.ts';
import type { SkipReason } from '../../core/domain/snapshot.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/domain/time.ts';
import type { Endpoint } from '../../http/pipeline.ts';
import { cacheControl, conditional, requireSendable } from '../../http/response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { LiveCache, type LiveRead } from '../../io/polymarket/live-read.ts';
import { type MarketLookup, noMarket } from '../../io/polymarket/market-lookup.ts';

interface MarketRulesDeps {
  readonly lookup: Pick<MarketLookup, 'marketByName'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/** A container keeps the rules of a market for this long. */
const RULES_TTL_MS = HOUR_MS;
/** It keeps the answer that a market is unknown for this long, because the market may be new. */
const UNKNOWN_TTL_MS = MINUTE_MS;
/** The characters of JSON in a container's cache. */
const CACHE_SIZE = 8_000_000;

/** `GET /api/markets/{id}/rules`: a market's rules from Gamma, because snapshots have none. */
export function getMarketRules({
  lookup,
  live,
  clock,
}: MarketRulesDeps): Endpoint<'get-market-rules'> {
  /** The body is empty if there is no market that the service can read. */
  const cache = new LiveCache<{ readonly body: string; readonly reason?: SkipReason }>({
    clock,
    ttlMs: ({ body }) => (body === '' ? UNKNOWN_TTL_MS : RULES_TTL_MS),
    maxSize: CACHE_SIZE,
    sizeOf: ({ body }) => Math.max(1, body.length),
  });
  const load = (name: string) =>
    live('market', async (deadline) => {
      const found = await lookup.marketByName(name, deadline);
      if (!found || 'reason' in found) return { body: '', ...found };
      const { market, rules, madeAt } = found;
      const { description = null, resolutionSource = null } = rules;
      const readAt = new Date(madeAt).toISOString();
      const response = {
        id: market.id,
        question: market.question,
        description,
        resolutionSource,
        readAt,
      };
      return {
        body: requireSendable(
          'rules',
          JSON.stringify(response satisfies FromSchemaNamed<'MarketRules'>),
        ),
      };
    });
  return async ({ parameters, headers }) => {
    const name = canonicalName(parameters.id);
    const { body, reason } = await cache.get(name, () => load(name));
    if (body === '') throw noMarket(reason);
    return conditional(headers, body, {
      'Cache-Control': cacheControl(cache.remainingSeconds(name)),
    });
  };
}
