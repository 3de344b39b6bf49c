import { amount, number, object, percent, price, text, texts, time } from './json-schema.ts';
import { CONDITION_ID_PATTERN } from './patterns.ts';

/**
 * The categories of the search and of the filter `category`, in the order in which a market shows its first.
 * `domain/categories.ts` holds the rule that assigns them.
 */
export const CATEGORY_NAMES = ['election', 'crypto', 'sports', 'economics', 'tech'] as const;
export type CategoryName = (typeof CATEGORY_NAMES)[number];

const change = { type: 'number', minimum: -100, maximum: 100 } as const;
const token = (description: string) => ({ $ref: '#/components/schemas/TokenId', description }) as const;

/** The fields of a market without `fields`, in the order of a response. Some markets have no `outcome`. */
const DEFAULT_FIELDS = {
  id: { type: 'string', pattern: CONDITION_ID_PATTERN, description: 'Condition id.' },
  question: { type: 'string', minLength: 1, description: 'Question of the market.' },
  slug: text('Name of the market in the address of its page.'),
  currentProbability: percent('Probability of YES in percent.'),
  volume: amount('Lifetime volume in USD.'),
  liquidity: amount('Liquidity in USD.'),
  oneDayPriceChange: {
    ...change,
    type: ['number', 'null'],
    description: 'Change of the probability over 24 hours in percentage points; `null` if it is unknown.',
  },
  sevenDayPriceChange: {
    ...change,
    description:
      'Change over 7 days in percentage points. Without `fields`, only the 20 markets of highest volume have it. Absent if it is unknown.',
  },
  thirtyDayPriceChange: {
    ...change,
    description: 'Change over 30 days in percentage points; present under the same conditions.',
  },
  endDate: time('Planned end. It can be in the past: a market stays listed until Polymarket closes it.'),
  clobTokenId: token('Outcome token of YES.'),
  outcome: text('Label of the outcome of the probability, if it is not "Yes": a team, "Over", "Up".'),
} as const;

/** The other fields, in the order of `fields=all`. Prices are those of YES. */
const MORE_FIELDS = {
  volume24h: amount('Volume of the last 24 hours in USD.'),
  bestBid: price('Best bid of YES, 0 to 1.'),
  bestAsk: price('Best ask of YES, 0 to 1.'),
  spread: number(
    'Best ask minus best bid, 0 to 1. A missing bid counts as 0, a missing ask as 1. Absent if the book is empty.',
  ),
  lastTradePrice: price('Price of the last trade of YES, 0 to 1.'),
  eventSlug: text('Slug of the event that the market belongs to.'),
  eventTitle: text('Title of the event.'),
  groupItemTitle: text('Short name of the market within its event.'),
  negRisk: { type: 'boolean', description: 'Whether at most one market of the event can resolve to YES.' },
  category: {
    type: 'string',
    enum: CATEGORY_NAMES,
    description: 'The first category that the market belongs to; absent if it belongs to none.',
  },
  tags: texts('Tag slugs of the upstream.'),
  outcomes: {
    type: 'array',
    description: 'The two sides of the market, in the order of the upstream.',
    items: object(['label', 'tokenId'], {
      label: text('Name of the outcome.'),
      tokenId: token('Outcome token.'),
      probability: percent('Probability in percent. Of more than two outcomes, only YES has one.'),
    }),
  },
  url: { type: 'string', format: 'uri', description: 'Page of the market at Polymarket.' },
  image: text('Address of a picture.'),
  createdAt: time('When the market was created.'),
  minimumTickSize: price('Smallest price step, 0 to 1.'),
  protocolVersion: { type: 'string', enum: ['v1', 'v2'], description: 'Protocol version of the upstream.' },
} as const;

const REQUIRED = [
  'id',
  'question',
  'currentProbability',
  'volume',
  'liquidity',
  'oneDayPriceChange',
  'endDate',
  'clobTokenId',
] as const;

/** The fields of an event except its markets. */
const EVENT_FIELDS = {
  slug: text('Name of the event in the address of its page.'),
  title: text('Title of the event.'),
  volume: amount('Lifetime volume of the open markets in USD.'),
  volume24h: amount('Volume of the open markets in the last 24 hours in USD.'),
  liquidity: amount('Liquidity of the open markets in USD.'),
  endDate: time('Latest end date of the open markets.'),
  tags: texts('Tag slugs of the open markets.'),
  topMarkets: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    description: 'The open markets with the highest probability, at most three, most probable first.',
    items: object(['id', 'question', 'currentProbability', 'clobTokenId'], {
      id: DEFAULT_FIELDS.id,
      question: DEFAULT_FIELDS.question,
      slug: DEFAULT_FIELDS.slug,
      groupItemTitle: MORE_FIELDS.groupItemTitle,
      currentProbability: DEFAULT_FIELDS.currentProbability,
      clobTokenId: DEFAULT_FIELDS.clobTokenId,
      outcome: DEFAULT_FIELDS.outcome,
    }),
  },
} as const;
const EVENT_REQUIRED = Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[];

const noChange = { type: 'null', description: 'Unknown for a market that is not in the list.' } as const;

/** The fields of a market that was looked up. */
const UNLISTED_FIELDS = {
  ...DEFAULT_FIELDS,
  ...MORE_FIELDS,
  oneDayPriceChange: noChange,
  sevenDayPriceChange: noChange,
  thirtyDayPriceChange: noChange,
} as const;
const UNLISTED_REQUIRED = [
  ...['id', 'question', 'volume', 'liquidity', 'endDate', 'clobTokenId'],
  ...['oneDayPriceChange', 'sevenDayPriceChange', 'thirtyDayPriceChange'],
  ...['tags', 'outcomes', 'protocolVersion'],
] as const;
const RESOLUTION_STATUS = text("The upstream's word, such as `proposed`, `disputed` or `resolved`.");

export const MARKET_SCHEMAS = {
  Market: object(REQUIRED, DEFAULT_FIELDS),
  MarketWithAllFields: {
    ...object([...REQUIRED, 'tags', 'outcomes', 'protocolVersion', 'status'], {
      ...DEFAULT_FIELDS,
      ...MORE_FIELDS,
      status: { type: 'string', const: 'active' },
    }),
    description: 'A market of the list.',
  },
  UnlistedMarket: {
    ...object([...UNLISTED_REQUIRED, 'status'], {
      ...UNLISTED_FIELDS,
      status: {
        type: 'string',
        enum: ['active', 'closed'],
        description: 'active: the market trades. closed: it no longer trades and is not resolved yet.',
      },
      closedAt: time('When the market was closed.'),
      resolution: {
        ...object(['status'], { status: RESOLUTION_STATUS }),
        description: 'Absent if the market trades, or if the upstream has no resolution of it.',
      },
    }),
    description:
      'A market that is not in the list and not resolved. `currentProbability` is absent if no price is known; that of a closed market is its last trade.',
  },
  ResolvedMarket: {
    ...object([...UNLISTED_REQUIRED, 'currentProbability', 'status', 'resolution'], {
      ...UNLISTED_FIELDS,
      status: { type: 'string', const: 'resolved' },
      closedAt: time('When the market was closed.'),
      resolvedAt: time('When the market was resolved. Absent if the upstream does not tell.'),
      resolution: object(['status', 'payouts'], {
        status: RESOLUTION_STATUS,
        payouts: {
          type: 'array',
          description: 'In the order of `outcomes`.',
          items: object(['label', 'tokenId', 'payout'], {
            label: text('Name of the outcome.'),
            tokenId: token('Outcome token.'),
            payout: price('USD that a share pays, 0 to 1.'),
          }),
        },
      }),
    }),
    description: 'A market whose result is known. `currentProbability` is the payout of YES in percent.',
  },
  MarketSelection: {
    ...object([], { ...DEFAULT_FIELDS, ...MORE_FIELDS }),
    description: 'The fields that the parameter `fields` names. A field is absent if the market does not have it.',
  },
  Changes: {
    ...object(['from', 'to', 'asOf', 'added', 'changed', 'removed'], {
      from: text('The snapshot of the parameter `since`.'),
      to: text('The newest snapshot. Use it as the next `since`.'),
      asOf: time('When the service read the prices of `to`.'),
      added: { type: 'array', items: { $ref: '#/components/schemas/Market' } },
      changed: { type: 'array', items: { $ref: '#/components/schemas/MarketChange' } },
      removed: texts('Condition ids.'),
      order: texts('All condition ids in list order. Present only if that order is not by volume and id.'),
    }),
    description:
      'The differences between the default lists of two snapshots. To update a copy of the list: delete `removed`, insert `added`, and set the fields of `changed`. Then sort by volume (descending) and id (ascending), or as `order` says if it is present. In `changed`, `null` means that the field was removed. For `oneDayPriceChange`, `null` is a value.',
  },
  MarketChange: {
    ...object(['id'], {
      ...DEFAULT_FIELDS,
      slug: { type: ['string', 'null'] },
      sevenDayPriceChange: { ...change, type: ['number', 'null'] },
      thirtyDayPriceChange: { ...change, type: ['number', 'null'] },
      outcome: { type: ['string', 'null'] },
    }),
    description: 'The id of a market and the fields that changed.',
  },
  TagCount: object(['slug', 'markets', 'volume'], {
    slug: text('Value of the parameter `category` or `tag`.'),
    markets: { type: 'integer', minimum: 1, description: 'Number of active markets.' },
    volume: amount('Lifetime volume of these markets in USD.'),
  }),
  Tags: object(['categories', 'tags'], {
    categories: { type: 'array', items: { $ref: '#/components/schemas/TagCount' } },
    tags: { type: 'array', items: { $ref: '#/components/schemas/TagCount' } },
  }),
  Event: object([...EVENT_REQUIRED, 'markets'], {
    ...EVENT_FIELDS,
    markets: { type: 'integer', minimum: 1, description: 'Number of open markets.' },
  }),
  EventWithMarkets: object([...EVENT_REQUIRED, 'markets'], {
    ...EVENT_FIELDS,
    markets: {
      type: 'array',
      items: {
        anyOf: [{ $ref: '#/components/schemas/Market' }, { $ref: '#/components/schemas/MarketSelection' }],
      },
      description: 'The open markets, most probable first.',
    },
  }),
} as const;

export type MarketField = keyof typeof DEFAULT_FIELDS | keyof typeof MORE_FIELDS;

/** Every field of a market, in the order of `fields=all`. */
export const MARKET_FIELDS = Object.keys({ ...DEFAULT_FIELDS, ...MORE_FIELDS }) as MarketField[];

/** Those of a market without `fields`, in their order. */
export const DEFAULT_MARKET_FIELDS = Object.keys(DEFAULT_FIELDS) as (keyof typeof DEFAULT_FIELDS)[];
