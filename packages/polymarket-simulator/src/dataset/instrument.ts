import type { Instrument } from '../source.ts';
import type { MarketFacts } from './facts.ts';
import { mirrored, type Quote, quoteAt } from './prices.ts';
import { lastTradeTicks } from './trades.ts';

/** A generated market's outcome as the CLOB sees it; `epoch` (ms) is when resolved markets ended. */
export function instrumentOf(facts: MarketFacts, outcome: 0 | 1, epoch: number): Instrument {
  const { units, key } = facts.price;
  const own = (quote: Quote) => (outcome === 0 ? quote : mirrored(quote, units));
  return {
    token: facts.assetIds[outcome],
    opposite: facts.assetIds[1 - outcome] ?? '',
    conditionId: facts.paddedConditionId,
    version: facts.protocol,
    units,
    trading: facts.orderBook && !facts.closed,
    bornAt: facts.createdAt,
    endedAt: facts.closed ? epoch : undefined,
    negRisk: facts.group !== '',
    traded: facts.traded && !facts.emptyBook,
    about: {
      question: facts.question,
      slug: facts.slug,
      outcome: facts.outcomes[outcome],
      eventId: facts.event?.id,
      eventSlug: facts.event?.slug,
    },
    oldBook: facts.oldBook && facts.protocol === 'v1',
    key,
    outcome,
    quote: (atMs) => own(quoteAt(facts.price, atMs)),
    lastTrade(atMs) {
      const price = lastTradeTicks(facts, atMs);
      return price === undefined ? undefined : (outcome === 0 ? price : units - price) / units;
    },
  };
}
