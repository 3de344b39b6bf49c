import type { WireMarket } from '../source.ts';
import { dateText, round } from './dates.ts';
import type { MarketFacts } from './facts.ts';
import { IMAGE, orNothing, RULES, wireTag } from './gamma-event.ts';
import { hexWords, mix } from './hash.ts';
import { middle, quoteAt } from './prices.ts';
import { lastTradeTicks } from './trades.ts';

const DAY_MS = 86_400_000;

/** What is written of a market besides its facts. */
export interface MarketMoment {
  /** Ms: the moment that the prices are of. */
  readonly atMs: number;
  readonly includeTags: boolean;
  /** USD, which may have moved since the dataset was made. */
  readonly volume: number;
  /** As Gamma nests it; undefined inside of an event, and where there is none. */
  readonly event: WireMarket | undefined;
}

/**
 * A market in Gamma's raw form, keys in its order. Strings hold JSON, amounts come as strings and as numbers, and what
 * is empty, zero or unknown is left out: `undefined` values do not survive JSON.
 */
export function wireMarket(facts: MarketFacts, moment: MarketMoment): WireMarket {
  const { atMs, includeTags, volume, event } = moment;
  const created = dateText(facts.createdAt, 6, facts.index);
  const volumeNum = facts.roundedVolume ? round(volume, 2) : volume;
  const dayVolume = facts.volume24hr;
  const text = `This market will resolve to "${facts.outcomes[0]}" if what the question asks (${facts.question.trim()}) happens by the end date. Otherwise, this market will resolve to "${facts.outcomes[1]}".\n\n${RULES}`;
  return {
    id: facts.id,
    question: facts.question,
    conditionId: facts.conditionId,
    slug: facts.slug,
    resolutionSource: '',
    endDate: facts.endDate,
    liquidity: orNothing(facts.liquidity)?.toString(),
    startDate: created,
    image: `${IMAGE}${facts.slug}.jpg`,
    icon: `${IMAGE}${facts.slug}.jpg`,
    description: text,
    outcomes: heldJson(facts, facts.outcomes),
    outcomePrices: facts.placeholder ? undefined : heldJson(facts, prices(facts, atMs)),
    volume: orNothing(volume)?.toString(),
    active: facts.active,
    closed: facts.closed,
    marketMakerAddress: '',
    createdAt: created,
    updatedAt: dateText(atMs - (atMs % 60_000), 6, facts.index),
    closedTime: facts.closed
      ? dateText(atMs - (atMs % DAY_MS), 0, 0)
          .replace('T', ' ')
          .replace('Z', '+00')
      : undefined,
    new: false,
    featured: false,
    archived: facts.archived,
    restricted: true,
    groupItemTitle: facts.group === '' ? undefined : facts.group,
    questionID: `0x${hexWords(mix(facts.price.key, 0x9d), 8)}`,
    enableOrderBook: facts.orderBook,
    orderPriceMinTickSize: 1 / facts.price.units,
    orderMinSize: 5,
    volumeNum: orNothing(volumeNum),
    liquidityNum: orNothing(facts.liquidity),
    endDateIso: facts.endDate?.slice(0, 10),
    startDateIso: created.slice(0, 10),
    hasReviewedDates: true,
    volume24hr: orNothing(dayVolume),
    volume1wk: orNothing(round(Math.min(dayVolume * 5.3, volume), 6)),
    volume1mo: orNothing(round(Math.min(dayVolume * 21, volume), 6)),
    clobTokenIds: facts.clobTokenIds == null ? facts.clobTokenIds : heldJson(facts, facts.clobTokenIds),
    positionIds: facts.positionIds,
    umaBond: '500',
    umaReward: '5',
    volumeClob: orNothing(volumeNum),
    liquidityClob: orNothing(facts.liquidity),
    customLiveness: 0,
    acceptingOrders: facts.orderBook && facts.active && !facts.closed,
    negRisk: facts.group !== '',
    events: event === undefined ? undefined : [event],
    ready: false,
    funded: false,
    acceptingOrdersTimestamp: created.replace(/\.\d+/, ''),
    tags: includeTags ? facts.tags.map(wireTag) : undefined,
    cyom: false,
    approved: true,
    rewardsMinSize: 20,
    rewardsMaxSpread: 3.5,
    ...quoteFields(facts, atMs),
    automaticallyActive: true,
    clearBookOnStart: true,
    manualActivation: false,
    negRiskOther: false,
    umaResolutionStatuses:
      facts.protocol === 'v2' ? undefined : facts.closed ? '["proposed", "resolved"]' : '[]',
    pendingDeployment: false,
    deploying: false,
    rfqEnabled: false,
    holdingRewardsEnabled: false,
    feesEnabled: false,
    requiresTranslation: false,
    version: facts.version,
    resolutionStatus: facts.protocol === 'v2' ? (facts.closed ? 'resolved' : 'active') : undefined,
  };
}

/** Prices of outcome 0 in 0..1, with an empty side left out or, for asks, 1. */
function quoteFields(facts: MarketFacts, atMs: number): WireMarket {
  const { units, sides } = facts.price;
  if (facts.closed) return { spread: 1, lastTradePrice: 1, bestBid: 0, bestAsk: 1 };
  if (facts.emptyBook) return { spread: 1, bestAsk: 1 };
  if (!facts.orderBook || sides === 'none') return {};
  const { bid, ask } = quoteAt(facts.price, atMs);
  const trade = lastTradeTicks(facts, atMs);
  const change = (ms: number) => {
    if (atMs - facts.createdAt < ms) return undefined;
    const before = middle(quoteAt(facts.price, atMs - ms), units);
    return orNothing(round(middle({ bid, ask }, units) - before, 4));
  };
  return {
    spread: ((ask ?? units) - (bid ?? 0)) / units,
    oneDayPriceChange: change(DAY_MS),
    oneWeekPriceChange: change(7 * DAY_MS),
    oneMonthPriceChange: change(30 * DAY_MS),
    lastTradePrice: trade === undefined ? undefined : trade / units,
    bestBid: bid === null ? undefined : bid / units,
    bestAsk: (ask ?? units) / units,
  };
}

function prices(facts: MarketFacts, atMs: number): readonly [string, string] {
  if (facts.closed) return ['1', '0'];
  const first = middle(quoteAt(facts.price, atMs), facts.price.units);
  return [String(round(first, 6)), String(round(1 - first, 6))];
}

/** A JSON array of strings inside a string, spaced as upstream's Python writes it; or one of the empty forms. */
function heldJson(facts: MarketFacts, values: readonly string[]): string | null | undefined {
  if (facts.outcomesForm === 'absent') return undefined;
  if (facts.outcomesForm === 'null') return null;
  if (facts.outcomesForm === 'empty') return '';
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
