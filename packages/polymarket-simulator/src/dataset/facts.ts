import { dateText } from './dates.ts';
import { type EventFacts, eventWithText } from './event-facts.ts';
import { Draw, mix } from './hash.ts';
import { type Identity, identityOf } from './identity.ts';
import { isEmptyBook, isWide, priceModel } from './price-model.ts';
import type { PriceModel } from './prices.ts';
import { EVENT_MARKETS, isTwin, protocolOf } from './protocol.ts';
import { slugOf } from './questions.ts';
import { createdAtOf, flagsOf, hasEvent, liquidityOf, volume24hrOf, volumeOf } from './quick-facts.ts';
import { RATES } from './rates.ts';

/** Everything about a generated market that does not change with time. */
export interface MarketFacts extends Identity {
  readonly index: number;
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly outcomes: readonly [string, string];
  readonly group: string;
  readonly tags: readonly string[];
  readonly event: EventFacts | undefined;
  readonly createdAt: number;
  readonly endDate: string | undefined;
  readonly endMs: number | undefined;
  readonly volume: number;
  readonly volume24hr: number;
  readonly liquidity: number;
  readonly price: PriceModel;
  readonly traded: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly active: boolean;
  readonly orderBook: boolean;
  readonly outcomesForm: 'json' | 'absent' | 'null' | 'empty';
  readonly placeholder: boolean;
  /** An order book with no order on either side. */
  readonly emptyBook: boolean;
  readonly roundedVolume: boolean;
  readonly oldBook: boolean;
}

/** Ids grow as upstream's do; the first is far above the deprecated ones. */
const FIRST_ID = 500_000;
const DAY_MS = 86_400_000;

/** What a generated dataset is a function of. `epoch` (ms, a UTC midnight) moves its dates and nothing else. */
export interface DatasetKey {
  readonly seed: number;
  readonly epoch: number;
  /** Share of the markets on Protocol V2, 0 to 1. */
  readonly v2Share: number;
}

/** The market at `index`. */
export function marketFacts({ seed, epoch, v2Share }: DatasetKey, index: number): MarketFacts {
  const key = mix(seed, index);
  const draw = (purpose: string) => new Draw(key, purpose);
  const has = (share: keyof typeof RATES) => draw(share).chance(RATES[share]);
  const { event, text } = eventWithText(seed, Math.floor(index / EVENT_MARKETS), epoch);
  const end = has('endInThePast')
    ? Math.min(event.endMs, epoch - draw('past').whole(1, 40) * DAY_MS)
    : event.endMs;
  // Duplicates and twins have the words of the market before them.
  const repeats = (has('duplicate') && index % EVENT_MARKETS > 0) || isTwin(seed, index, v2Share);
  const asked = repeats ? index - 1 : index;
  const words = text.market(asked % EVENT_MARKETS);
  const outcomes = words.outcomes[0] === 'Yes' ? yesNo(has('shoutedYes'), has('yesSecond')) : words.outcomes;
  const noEnd = has('noEndDateAtAll');
  const { closed, archived, active } = flagsOf(key);
  const createdAt = createdAtOf(key, epoch);
  const orderBook = !has('noOrderBook');
  const identity = identityOf({
    seed,
    index,
    protocol: protocolOf(seed, index, v2Share),
    negRisk: words.group !== '',
    orderBook,
    young: epoch - createdAt < DAY_MS,
  });
  return {
    ...identity,
    index,
    id: String(FIRST_ID + index),
    slug: `${slugOf(words.question)}-${index}`,
    question: has('outerSpaces') ? ` ${words.question}  ` : words.question,
    outcomes,
    group: words.group,
    tags: text.tags,
    event: hasEvent(key) ? { ...event, endDate: noEnd ? undefined : event.endDate } : undefined,
    createdAt,
    endDate:
      noEnd || has('noEndDate')
        ? undefined
        : dateText(end, has('fractionalEnd') ? draw('digits').whole(1, 9) : 0, key),
    endMs: noEnd || has('noEndDate') ? undefined : end,
    volume: volumeOf(seed, index),
    volume24hr: volume24hrOf(key, volumeOf(seed, index)),
    liquidity: liquidityOf(key),
    price: priceModel(key, draw('price')),
    traded: !draw('traded').chance(isWide(key) ? RATES.wideWithoutTrade : RATES.withoutTrade),
    closed,
    archived,
    active,
    orderBook,
    outcomesForm: has('withoutOutcomes') ? draw('form').pick(['absent', 'null', 'empty']) : 'json',
    placeholder: has('placeholder'),
    emptyBook: isEmptyBook(key),
    roundedVolume: has('roundedVolume'),
    oldBook: has('oldBook'),
  };
}

function yesNo(shouted: boolean, yesSecond: boolean): readonly [string, string] {
  const [yes, no] = shouted ? ['YES', 'NO'] : ['Yes', 'No'];
  return yesSecond ? [no, yes] : [yes, no];
}
