/**
 * The fields of a market in the API, such as `question` and `volume`, as a table: one row for each,
 * with its JSON Schema and who computes it. At the end, functions that select rows.
 */
import { CATEGORY_NAMES } from './constants.ts';
import { type Json, s } from './json-schema.ts';
import { CONDITION_ID_PATTERN } from './patterns.ts';

/** Where a price can come from. The description of `priceSource` explains each. */
export const PRICE_SOURCES = ['book', 'trade', 'carried', 'catalogue', 'untraded'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** The fields that say how much the probability changed within a time. */
export const CHANGE_FIELDS = [
  'oneHourPriceChange',
  'oneDayPriceChange',
  'sevenDayPriceChange',
  'thirtyDayPriceChange',
] as const;

/** The whole description of a field of a market. */
interface FieldRow {
  /** If its type allows `null`, an unknown value is `null`. Otherwise the field is absent. */
  readonly schema: Json;
  /**
   * Who computes the value. `catalogue`: `io/polymarket/gamma-market.ts` reads it from Gamma.
   * `prices`: `domain/price.ts` derives it from the book. `changes`: `jobs/refresh/start-prices.ts`
   * compares two prices.
   */
  readonly from: 'catalogue' | 'prices' | 'changes';
  /** A response without the parameter `fields` has the field. */
  readonly default?: true;
  /** Each market of the list has the field. */
  readonly required?: true;
}

/** The schema of a change in percentage points. */
const change = (description: string) =>
  ({ type: 'number', minimum: -100, maximum: 100, description }) as const;
const changeOrNull = (description: string) =>
  ({ ...change(description), type: ['number', 'null'] }) as const;

/** The schema of the shares at the best price of a side (`bid` or `ask`). */
const size = (side: string) =>
  s.amount(
    `Shares of YES at the best ${side}, read up to 150 s before the prices. Absent if the price has changed since then, or if the book was not read.`,
  );

/**
 * The fields of a market. Response schemas, the parameter `fields`, CSV columns, domain types and
 * the client derive from these rows. Responses have the default fields first, and otherwise this
 * order. Prices are those of YES, one of the outcomes of each market.
 */
const FIELD_ROWS = {
  id: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: { type: 'string', pattern: CONDITION_ID_PATTERN, description: 'Condition id.' },
  },
  question: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: { type: 'string', minLength: 1, description: 'Question of the market.' },
  },
  slug: {
    from: 'catalogue',
    default: true,
    schema: s.text('Name of the market in the address of its page.'),
  },
  currentProbability: {
    from: 'prices',
    default: true,
    required: true,
    schema: s.percent('Probability of YES in percent.'),
  },
  volume: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: s.amount('Lifetime volume in USD.'),
  },
  liquidity: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: s.amount('Liquidity in USD.'),
  },
  oneDayPriceChange: {
    from: 'changes',
    default: true,
    required: true,
    schema: changeOrNull(
      'Change of the probability over 24 hours in percentage points; `null` if it is unknown.',
    ),
  },
  sevenDayPriceChange: {
    from: 'changes',
    default: true,
    schema: change(
      'Change over 7 days in percentage points. Without `fields`, only the 20 markets of highest volume have it. Absent if it is unknown.',
    ),
  },
  thirtyDayPriceChange: {
    from: 'changes',
    default: true,
    schema: change('Change over 30 days in percentage points; present under the same conditions.'),
  },
  endDate: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: s.time(
      'Planned end. It can be in the past: a market stays listed until Polymarket closes it.',
    ),
  },
  clobTokenId: {
    from: 'catalogue',
    default: true,
    required: true,
    schema: s.token('Outcome token of YES.'),
  },
  outcome: {
    from: 'catalogue',
    default: true,
    schema: s.text(
      'Label of the outcome of the probability, if it is not "Yes": a team, "Over", "Up".',
    ),
  },
  oneHourPriceChange: {
    from: 'changes',
    required: true,
    schema: changeOrNull(
      'Change of the probability over an hour in percentage points; `null` if it is unknown. It begins 60 to 75 minutes ago.',
    ),
  },
  doubtfulChanges: {
    from: 'changes',
    schema: {
      type: 'array',
      minItems: 1,
      items: s.choice(CHANGE_FIELDS, 'Name of the field.'),
      description:
        "Changes that can be wrong. Each exceeds 10 percentage points, and its start price comes from Polymarket's history, which has jumped by more than 10 points since then: the start can be the middle of a wide book. Sorts put such a change last, and `minMove…` excludes it. Absent if no change is doubtful.",
    },
  },
  volume24h: { from: 'catalogue', schema: s.amount('Volume of the last 24 hours in USD.') },
  bestBid: { from: 'prices', schema: s.price('Best bid of YES, 0 to 1.') },
  bestAsk: { from: 'prices', schema: s.price('Best ask of YES, 0 to 1.') },
  bidSize: { from: 'prices', schema: size('bid') },
  askSize: { from: 'prices', schema: size('ask') },
  spread: {
    from: 'prices',
    schema: s.number(
      'Best ask minus best bid, 0 to 1. A missing bid counts as 0, a missing ask as 1. Absent if the book is empty.',
    ),
  },
  lastTradePrice: { from: 'prices', schema: s.price('Price of the last trade of YES, 0 to 1.') },
  midpoint: {
    from: 'prices',
    schema: s.price(
      'Middle of a tight book of YES, 0 to 1. Changes compare midpoints. If the book was not read, that of the price that `priceSource` names. Absent if the book is not tight.',
    ),
  },
  priceSource: {
    from: 'prices',
    required: true,
    schema: s.choice(
      PRICE_SOURCES,
      'Where the probability comes from. `book`: the middle of a tight book. `trade`: the last trade. `untraded`: the outcome price of the catalogue, for a market without a known trade. `carried`, `catalogue`: the order book was not read, so this is the price of an earlier snapshot or of the catalogue.',
    ),
  },
  pricedAt: {
    from: 'prices',
    required: true,
    schema: s.time(
      'When the service or the catalogue read the price: at most ten minutes before the time of the list. A last trade can be much older; Polymarket does not date it.',
    ),
  },
  eventSlug: { from: 'catalogue', schema: s.text('Slug of the event that the market belongs to.') },
  eventTitle: { from: 'catalogue', schema: s.text('Title of the event.') },
  groupItemTitle: {
    from: 'catalogue',
    schema: s.text('Short name of the market within its event.'),
  },
  negRisk: {
    from: 'catalogue',
    schema: s.flag('Whether at most one market of the event can resolve to YES.'),
  },
  category: {
    from: 'catalogue',
    schema: s.choice(
      CATEGORY_NAMES,
      'The first category that the market belongs to; absent if it belongs to none.',
    ),
  },
  tags: { from: 'catalogue', required: true, schema: s.texts('Tag slugs of the upstream.') },
  outcomes: {
    from: 'catalogue',
    required: true,
    schema: {
      type: 'array',
      description: 'The two sides of the market, in the order of the upstream.',
      items: s.object(['label', 'tokenId'], {
        label: s.text('Name of the outcome.'),
        tokenId: s.token('Outcome token.'),
        probability: s.percent(
          'Probability in percent. Of more than two outcomes, only YES has one.',
        ),
      }),
    },
  },
  url: {
    from: 'catalogue',
    schema: { type: 'string', format: 'uri', description: 'Page of the market at Polymarket.' },
  },
  image: { from: 'catalogue', schema: s.text('Address of a picture.') },
  createdAt: { from: 'catalogue', schema: s.time('When the market was created.') },
  minimumTickSize: { from: 'catalogue', schema: s.price('Smallest price step, 0 to 1.') },
  protocolVersion: {
    from: 'catalogue',
    required: true,
    schema: s.choice(['v1', 'v2'], 'Protocol version of the upstream.'),
  },
} as const satisfies Record<string, FieldRow>;

type Rows = typeof FIELD_ROWS;
export type MarketField = keyof Rows;

/**
 * The names of the fields whose rows have the type `R`. `FieldsWith<{ default: true }>` is
 * `'id' | 'question' | 'slug'` and so on.
 */
export type FieldsWith<R> = { [F in MarketField]: Rows[F] extends R ? F : never }[MarketField];

/** The fields that are numbers or times, so that a sort or a filter can compare them. */
export type ComparableField =
  | FieldsWith<{ schema: { type: 'number' | readonly ['number', 'null'] } }>
  | FieldsWith<{ schema: { format: 'date-time' } }>;

/**
 * The names of the fields whose rows have all these values, in the order of the rows.
 *
 * @example fieldsWith({ from: 'prices', required: true }) // ['currentProbability', …]
 */
export function fieldsWith<const R extends Partial<FieldRow>>(wanted: R): FieldsWith<R>[] {
  const conditions = Object.entries(wanted) as [keyof FieldRow, unknown][];
  const rows = Object.entries<FieldRow>(FIELD_ROWS);
  const matching = rows.filter(([, row]) => conditions.every(([key, value]) => row[key] === value));
  return matching.map(([name]) => name as FieldsWith<R>);
}

/** The fields of a response without the parameter `fields`. */
export const DEFAULT_MARKET_FIELDS = fieldsWith({ default: true });
/** All fields, in the order of `fields=all`: first the default fields, then the other rows. */
export const MARKET_FIELDS = [
  ...new Set([...DEFAULT_MARKET_FIELDS, ...(Object.keys(FIELD_ROWS) as MarketField[])]),
];

/**
 * The schemas of these fields, by name.
 *
 * @example schemasOf(['volume']) // { volume: { type: 'number', minimum: 0, … } }
 */
export function schemasOf<F extends MarketField>(
  names: readonly F[],
): { readonly [N in F]: Rows[N]['schema'] } {
  const schemas = names.map((name) => [name, FIELD_ROWS[name].schema]);
  return Object.fromEntries(schemas);
}

/** Whether each market of the list has the field. The compiler then accepts only such names. */
export function isRequired<F extends MarketField>(
  name: F,
): name is F & FieldsWith<{ required: true }> {
  const row: FieldRow = FIELD_ROWS[name];
  return row.required === true;
}
