/**
 * The JSON Schemas of markets, their rules, events and tags in responses. The list is that of the
 * service: the active markets of highest volume, each with all required fields. `schemas.ts` has
 * all other schemas.
 */
import { type Json, s } from './json-schema.ts';
import {
  CHANGE_FIELDS,
  DEFAULT_MARKET_FIELDS,
  fieldsWith,
  isRequired,
  MARKET_FIELDS,
  type MarketField,
  schemasOf,
} from './market-fields.ts';

/** The schema of a market that has these fields only, such as `['id', 'slug']`. */
const marketWith = <F extends MarketField>(names: readonly F[]) =>
  s.object(names.filter(isRequired), schemasOf(names));

/** The fields of a market in the `topMarkets` of an event. */
export const TOP_MARKET_FIELDS = [
  'id',
  'question',
  'slug',
  'groupItemTitle',
  'currentProbability',
  'clobTokenId',
  'outcome',
] as const satisfies readonly MarketField[];

export const MAX_TOP_MARKETS = 3;

/** The fields that each event has, besides `markets`. */
const EVENT_FIELDS = {
  slug: s.text('Name of the event in the address of its page.'),
  title: s.text('Title of the event.'),
  volume: s.amount('Lifetime volume of the open markets in USD.'),
  volume24h: s.amount('Volume of the open markets in the last 24 hours in USD.'),
  liquidity: s.amount('Liquidity of the open markets in USD.'),
  endDate: s.time('Latest end date of the open markets.'),
  tags: s.texts('Tag slugs of the open markets.'),
  topMarkets: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_TOP_MARKETS,
    items: marketWith(TOP_MARKET_FIELDS),
    description:
      'The open markets with the highest probability, at most three, most probable first.',
  },
} as const;

/** The schema of a sum of best prices. @param ruleIfMissing for a market without this side */
const sumOf = (side: string, ruleIfMissing: string) =>
  s.amount(
    `Sum of the best ${side}s of YES of the markets of the event, 0 to 1 each. ${ruleIfMissing} Present only if every listed market excludes the others (\`negRisk\`) and its order book was read (\`priceSource\` is \`book\`, \`trade\` or \`untraded\`). An outcome that is not listed is not in the sum. Upstream can also add outcomes later.`,
  );
/** The optional fields of an event. */
const EVENT_SUMS = {
  bidSum: sumOf('bid', 'A missing bid counts as 0.'),
  askSum: sumOf('ask', 'Absent if a listed market has no ask.'),
} as const;

/** The schema of an event. @param markets schema of their number, or of the markets themselves */
const eventWith = <const M extends Json>(markets: M) => {
  const required = Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[];
  return s.object([...required, 'markets'], { ...EVENT_FIELDS, ...EVENT_SUMS, markets });
};

/**
 * A price change of a market that is not in the list: always `null`, because the service stores
 * past prices only of listed markets. The type allows numbers too, because client generators cannot
 * read the type `null` alone.
 */
const noChange = {
  type: ['number', 'null'],
  description: '`null`: unknown for a market that is not in the list.',
} as const;

/** The fields of a market that is not in the list. */
const UNLISTED_FIELDS = {
  ...schemasOf(MARKET_FIELDS),
  oneHourPriceChange: noChange,
  oneDayPriceChange: noChange,
  sevenDayPriceChange: noChange,
  thirtyDayPriceChange: noChange,
} as const;
/**
 * The fields that each of them has: those of Polymarket's catalogue and, as `null`, the changes.
 */
const UNLISTED_REQUIRED = [...fieldsWith({ from: 'catalogue', required: true }), ...CHANGE_FIELDS];
const RESOLUTION_STATUS = s.text(
  "The upstream's word, such as `proposed`, `disputed` or `resolved`.",
);

/** The schemas by their names in the API document. */
export const MARKET_SCHEMAS = {
  Market: marketWith(DEFAULT_MARKET_FIELDS),
  MarketWithAllFields: {
    ...s.object([...MARKET_FIELDS.filter(isRequired), 'status'], {
      ...schemasOf(MARKET_FIELDS),
      status: { type: 'string', const: 'active' },
    }),
    description: 'A market of the list.',
  },
  UnlistedMarket: {
    ...s.object([...UNLISTED_REQUIRED, 'status'], {
      ...UNLISTED_FIELDS,
      status: s.choice(
        ['active', 'closed'],
        'active: the market trades. closed: it no longer trades and is not resolved yet.',
      ),
      closedAt: s.time('When the market was closed.'),
      resolution: {
        ...s.object(['status'], { status: RESOLUTION_STATUS }),
        description: 'Absent if the market trades, or if the upstream has no resolution of it.',
      },
    }),
    description:
      'A market that is not in the list and not resolved. `currentProbability` is absent if no price is known; that of a closed market is its last trade.',
  },
  ResolvedMarket: {
    ...s.object([...UNLISTED_REQUIRED, 'currentProbability', 'status', 'resolution'], {
      ...UNLISTED_FIELDS,
      status: { type: 'string', const: 'resolved' },
      closedAt: s.time('When the market was closed.'),
      resolvedAt: s.time('When the market was resolved. Absent if the upstream does not tell.'),
      resolution: s.object(['status', 'payouts'], {
        status: RESOLUTION_STATUS,
        payouts: {
          type: 'array',
          description: 'In the order of `outcomes`.',
          items: s.object(['label', 'tokenId', 'payout'], {
            label: s.text('Name of the outcome.'),
            tokenId: s.token('Outcome token.'),
            payout: s.price('USD that a share pays, 0 to 1.'),
          }),
        },
      }),
    }),
    description:
      'A market whose result is known. `currentProbability` is the payout of YES in percent.',
  },
  MarketSelection: {
    ...s.object([], schemasOf(MARKET_FIELDS)),
    description:
      'The fields that the parameter `fields` names. A field is absent if the market does not have it.',
  },
  MarketRules: s.object(['id', 'question', 'description', 'resolutionSource', 'readAt'], {
    id: s.text('Condition id.'),
    question: s.text('Question of the market.'),
    description: {
      type: ['string', 'null'],
      description:
        'How the market resolves, as the upstream has it: plain text with line breaks, without invisible characters. `null`: the upstream has none.',
    },
    resolutionSource: {
      type: ['string', 'null'],
      description:
        'Where the result comes from: a web address or a name. `null`: the upstream has none.',
    },
    readAt: s.time('The text is at least as new as this.'),
  }),
  TagCount: s.object(['slug', 'markets', 'volume'], {
    slug: s.text('Value of the parameter `category` or `tag`.'),
    markets: s.count('Number of active markets.'),
    volume: s.amount('Lifetime volume of these markets in USD.'),
  }),
  Tags: s.object(['categories', 'tags'], {
    categories: { type: 'array', items: { $ref: '#/components/schemas/TagCount' } },
    tags: { type: 'array', items: { $ref: '#/components/schemas/TagCount' } },
  }),
  Event: eventWith(s.count('Number of open markets.')),
  EventWithMarkets: eventWith({
    type: 'array',
    items: {
      anyOf: [
        { $ref: '#/components/schemas/Market' },
        { $ref: '#/components/schemas/MarketSelection' },
      ],
    },
    description: 'The open markets, most probable first.',
  }),
} as const;
