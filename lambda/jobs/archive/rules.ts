/**
 * Reads the rules of a day's markets for the archive. They are texts that say how a market is
 * decided, and come from Gamma, Polymarket's API of the catalogue.
 */
import pLimit from 'p-limit';
import { paddedConditionId } from '../../core/domain/ids.ts';
import { MINUTE_MS } from '../../core/domain/time.ts';
import { inGroups } from '../../core/domain/values.ts';
import type { Clock } from '../../io/platform/clock.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { MAX_CONDITION_IDS } from '../../io/polymarket/gamma-catalogue.ts';
import type { DatedRules, GammaRules } from '../../io/polymarket/market-rules.ts';

/** A row of the rules. */
export interface RulesOfMarket extends DatedRules {
  readonly id: string;
}

/** What reads the rules. */
export interface RulesReader {
  readonly rules: Pick<GammaRules, 'read'>;
  readonly clock: Clock;
  readonly logger: Pick<Log, 'warn'>;
}

/**
 * The time for all calls of a job, so that the rules do not delay the outcomes. 10,000 markets need
 * 250 calls of about a second.
 */
const RULES_TIMEOUT_MS = MINUTE_MS;
/** Calls under way. They are few, because the refresher reads the same route at the same time. */
const CALLS_AT_ONCE = 8;

/**
 * Reads the rules of markets. Never throws: a failed call omits its markets.
 *
 * @returns in the order of the ids, without markets that Gamma has no rules for
 */
export async function readRulesOf(
  ids: readonly string[],
  reader: RulesReader,
): Promise<RulesOfMarket[]> {
  const limits = { deadline: reader.clock.now() + RULES_TIMEOUT_MS, retries: 2 };
  const rulesById = new Map<string, DatedRules>();
  const errors: unknown[] = [];
  const limit = pLimit(CALLS_AT_ONCE);
  // Gamma lists open and closed markets separately, and most markets of a day are still open.
  for (const areClosed of [false, true]) {
    const unread = ids.filter((id) => !rulesById.has(paddedConditionId(id)));
    const reads = inGroups(unread, MAX_CONDITION_IDS).map((batch) =>
      limit(() => reader.rules.read(batch, areClosed, limits)),
    );
    for (const result of await Promise.allSettled(reads)) {
      if (result.status === 'rejected') errors.push(result.reason);
      else for (const [id, rules] of result.value) rulesById.set(id, rules);
    }
  }
  if (errors.length > 0) {
    reader.logger.warn('The archive could not read all rules', {
      calls: errors.length,
      error: errors[0],
    });
  }
  return ids.flatMap((id) => {
    const rules = rulesById.get(paddedConditionId(id));
    return rules?.description || rules?.resolutionSource ? [{ id, ...rules }] : [];
  });
}
