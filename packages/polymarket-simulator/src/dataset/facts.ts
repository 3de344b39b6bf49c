import { Draw, hexWords, mix } from './hash.ts';
import type { PriceModel, Sides } from './prices.ts';
import { type EventText, eventText, slugOf } from './questions.ts';
import { RATES } from './rates.ts';
import { tokenOf } from './tokens.ts';

/** Everything about a generated market that does not change with time. */
export interface MarketFacts {
  readonly index: number;
  readonly id: string;
  readonly conditionId: string;
  readonly slug: string;
  readonly question: string;
  readonly outcomes: readonly [string, string];
  readonly group: string;
  readonly tokens: readonly [string, string];
  readonly tags: readonly string[];
  readonly event:
    | { readonly id: string; readonly title: string; readonly slug: string; readonly endDate?: string }
    | undefined;
  readonly createdAt: number;
  readonly endDate: string | undefined;
  readonly volume: number;
  readonly liquidity: number;
  readonly price: PriceModel;
  readonly traded: boolean;
  readonly closed: boolean;
  readonly archived: boolean;
  readonly active: boolean;
  readonly orderBook: boolean;
  readonly outcomesForm: 'json' | 'absent' | 'null' | 'empty';
  readonly placeholder: boolean;
  readonly roundedVolume: boolean;
  readonly oldBook: boolean;
}

/** Markets that belong to one event. */
const EVENT_MARKETS = 4;
/** Ids grow as upstream's do; the first is far above the deprecated ones. */
const FIRST_ID = 500_000;
/** The greatest volume in the recordings, USD. */
const GREATEST_VOLUME = 36e6;
const DAY_MS = 86_400_000;

/**
 * The market at `index`: a function of the seed, the index and the day the universe was made (`epoch`, ms at a UTC
 * midnight), on which only its dates depend.
 */
export function marketFacts(seed: number, index: number, epoch: number): MarketFacts {
  const key = mix(seed, index);
  const draw = (purpose: string) => new Draw(key, purpose);
  const has = (share: keyof typeof RATES) => draw(share).chance(RATES[share]);
  const eventIndex = Math.floor(index / EVENT_MARKETS);
  const eventKey = mix(mix(seed, 0xe7e47), eventIndex);
  const eventEnd = endOf(new Draw(eventKey, 'end'), epoch);
  const end = has('endInThePast') ? Math.min(eventEnd, epoch - draw('past').whole(1, 40) * DAY_MS) : eventEnd;
  const text = eventText(eventKey, eventEnd);
  // A duplicate has the words of the market before it, which may be in the event before.
  const asked = has('duplicate') && index % EVENT_MARKETS > 0 ? index - 1 : index;
  const words = text.market(asked % EVENT_MARKETS);
  const outcomes = words.outcomes[0] === 'Yes' ? yesNo(has('shoutedYes'), has('yesSecond')) : words.outcomes;
  const noEnd = has('noEndDateAtAll');
  const closed = has('closed');
  return {
    index,
    id: String(FIRST_ID + index),
    conditionId: `0x${hexWords(mix(key, 0xc0d), 8)}`,
    slug: `${slugOf(words.question)}-${index}`,
    question: has('outerSpaces') ? ` ${words.question}  ` : words.question,
    outcomes,
    group: words.group,
    tokens: [tokenOf(seed, index, 0), tokenOf(seed, index, 1)],
    tags: text.tags,
    event:
      has('noEvent') && !has('noEndDate')
        ? undefined
        : eventOf(eventIndex, text, noEnd ? undefined : eventEnd),
    createdAt: epoch - ageOf(draw('age')),
    endDate:
      noEnd || has('noEndDate')
        ? undefined
        : dateText(end, has('fractionalEnd') ? draw('digits').whole(1, 9) : 0, key),
    volume: volumeOf(seed, index),
    liquidity: draw('liquidity').chance(0.01) ? 0 : round(10 ** draw('liquidity').between(1.2, 5.6), 5),
    price: priceModel(key, draw('price')),
    traded: !draw('traded').chance(isWide(key) ? RATES.wideWithoutTrade : RATES.withoutTrade),
    closed,
    archived: has('archived'),
    active: closed || !has('inactive'),
    orderBook: !has('noOrderBook'),
    outcomesForm: has('withoutOutcomes') ? draw('form').pick(['absent', 'null', 'empty']) : 'json',
    placeholder: has('placeholder'),
    roundedVolume: has('roundedVolume'),
    oldBook: has('oldBook'),
  };
}

/** USD traded: a power law up to 36 million, the catalogue's usual sort key, so it must not need the whole market. */
export function volumeOf(seed: number, index: number): number {
  const draw = new Draw(mix(seed, index), 'volume');
  const place = draw.next();
  const kind = draw.next();
  if (kind < RATES.zeroVolume) return 0;
  if (kind < RATES.zeroVolume + RATES.tinyVolume) return round(0.01 + place * 9, 6);
  return round(GREATEST_VOLUME / (1 + 1_500 * place) ** 1.2, 6);
}

function yesNo(shouted: boolean, yesSecond: boolean): readonly [string, string] {
  const [yes, no] = shouted ? ['YES', 'NO'] : ['Yes', 'No'];
  return yesSecond ? [no, yes] : [yes, no];
}

function isWide(key: number): boolean {
  return new Draw(key, 'wideSpread').chance(RATES.wideSpread);
}

function priceModel(key: number, draw: Draw): PriceModel {
  const units = draw.chance(0.5) ? 1_000 : 100;
  const empty = new Draw(key, 'placeholder').chance(RATES.placeholder) && draw.chance(1 / 3);
  const oneSided = new Draw(key, 'oneSided').chance(RATES.oneSided);
  const sides: Sides = empty ? 'none' : oneSided ? (draw.chance(0.8) ? 'asks-only' : 'bids-only') : 'both';
  // Most open markets are long shots, some are near-certain, games stand in the middle.
  const base =
    sides === 'both' ? draw.between(-1.2, 0.9) * draw.pick([1, 1, 2, 4]) : sides === 'asks-only' ? -5.5 : 5.5;
  const spread = isWide(key)
    ? draw.between(0.12, 0.7)
    : new Draw(key, 'boundarySpread').chance(RATES.boundarySpread)
      ? 0.1
      : draw.pick([1, 1, 1, 2, 3, 5]) / units;
  const volatility = draw.pick([0.15, 0.5, 0.9, 1.6]);
  return { key: mix(key, 0x9), base, volatility, units, spreadTicks: Math.round(spread * units), sides };
}

function endOf(draw: Draw, epoch: number): number {
  const days = draw.pick([3, 14, 45, 180, 400]) * draw.between(0.4, 1);
  const hour = draw.pick([0, 4, 12, 12, 16, 20]);
  return epoch + Math.ceil(days) * DAY_MS + hour * 3_600_000;
}

function ageOf(draw: Draw): number {
  const kind = draw.next();
  const { youngerThanDay: day, youngerThanWeek: week, youngerThanMonth: month } = RATES;
  if (kind < day) return draw.between(0.02, 0.9) * DAY_MS;
  if (kind < day + week) return draw.between(1, 6) * DAY_MS;
  if (kind < day + week + month) return draw.between(7.5, 29) * DAY_MS;
  return draw.between(31, 480) * DAY_MS;
}

function eventOf(index: number, text: EventText, end: number | undefined): NonNullable<MarketFacts['event']> {
  const event = { id: String(20_000 + index), title: text.title, slug: `${slugOf(text.title)}-${index}` };
  return end === undefined ? event : { ...event, endDate: dateText(end, 0, 0) };
}

/** RFC 3339 in UTC with `digits` fraction digits (0 to 9), as Gamma writes them. */
export function dateText(ms: number, digits: number, key: number): string {
  const fraction = digits === 0 ? '' : `.${String(mix(key, 0xf)).padStart(10, '0').slice(-digits)}`;
  return `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
