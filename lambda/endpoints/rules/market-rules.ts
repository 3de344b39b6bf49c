/** The endpoint of a market's rules: the texts that say how the market is decided. */
import type { FromSchemaNamed } from '../../core/contract/schemas.ts';
import { canonicalName } from '../../core/domain/ids.ts';
import type { SkipReason } from '../../core/domain/snapshot.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/domain/time.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { cacheControl, conditional, requireSendable } from '../../http/response.ts';
import type { Clock } from '../../io/platform/clock.ts';
import { LiveCache } from '../../io/polymarket/live-cache.ts';
import type { LiveRead } from '../../io/polymarket/live-read.ts';
import {
  type FoundMarket,
  type MarketLookup,
  noMarket,
} from '../../io/polymarket/market-lookup.ts';

/** What the endpoint uses. */
interface MarketRulesDeps {
  readonly lookup: Pick<MarketLookup, 'marketByName'>;
  readonly live: LiveRead;
  readonly clock: Clock;
}

/** A container keeps the rules of a market for this long. */
const RULES_TTL_MS = HOUR_MS;
/** A container keeps that a market is unknown for this long, because the market may be new. */
const UNKNOWN_TTL_MS = MINUTE_MS;
/** The most characters of JSON in a container's cache. */
const CACHE_SIZE = 8_000_000;

/** What a look-up found. */
interface FoundRules {
  /** The rules as JSON; absent if upstream has no market, or none that the service can read. */
  readonly body?: string;
  /** Why the service cannot read the market that upstream has. */
  readonly reason?: SkipReason;
}

/** `GET /api/markets/{id}/rules`: a market's rules from Gamma, because snapshots have none. */
export function getMarketRules({
  lookup,
  live,
  clock,
}: MarketRulesDeps): Endpoint<'get-market-rules'> {
  const cache = new LiveCache<FoundRules>({
    clock,
    ttlMs: ({ body }) => (body === undefined ? UNKNOWN_TTL_MS : RULES_TTL_MS),
    maxSize: CACHE_SIZE,
    sizeOf: ({ body }) => body?.length ?? 1,
  });
  const load = (name: string): Promise<FoundRules> =>
    live('market', async (deadline) => {
      const found = await lookup.marketByName(name, deadline);
      if (!found) return {};
      if ('reason' in found) return { reason: found.reason };
      return { body: requireSendable('rules', JSON.stringify(rulesOf(found))) };
    });
  return async ({ parameters, headers }) => {
    const name = canonicalName(parameters.id);
    const { body, reason } = await cache.get(name, () => load(name));
    if (body === undefined) throw noMarket(reason);
    return conditional(headers, body, {
      'Cache-Control': cacheControl(cache.remainingSeconds(name)),
    });
  };
}

function rulesOf({ market, rules, madeAt }: FoundMarket): FromSchemaNamed<'MarketRules'> {
  const { description = null, resolutionSource = null } = rules;
  return {
    id: market.id,
    question: market.question,
    description,
    resolutionSource,
    readAt: new Date(madeAt).toISOString(),
  };
}
