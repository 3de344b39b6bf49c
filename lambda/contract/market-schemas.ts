import { CATEGORY_NAMES } from './categories.ts';
import { CONDITION_ID_PATTERN } from './patterns.ts';

const change = { type: 'number', minimum: -100, maximum: 100 } as const;
const price = { type: 'number', minimum: 0, maximum: 1 } as const;
const percent = { type: 'number', minimum: 0, maximum: 100 } as const;
const usd = { type: 'number', minimum: 0 } as const;
const token = { $ref: '#/components/schemas/TokenId' } as const;

/** The eleven fields of a market and the label that some have besides, in the order of a response. */
const DEFAULT_FIELDS = {
  id: { type: 'string', pattern: CONDITION_ID_PATTERN, description: 'Condition id.' },
  question: { type: 'string', minLength: 1 },
  slug: { type: 'string' },
  currentProbability: { ...percent, description: 'YES probability in percent.' },
  volume: { ...usd, description: 'Lifetime volume in USD.' },
  liquidity: { ...usd, description: 'Liquidity in USD.' },
  oneDayPriceChange: {
    ...change,
    type: ['number', 'null'],
    description: 'Change of the probability over 24 hours in percentage points; null when it is unknown.',
  },
  sevenDayPriceChange: {
    ...change,
    description:
      'The same over 7 days; unless asked for by name, only for the 20 markets of highest volume. Left out when unknown.',
  },
  thirtyDayPriceChange: { ...change, description: 'The same over 30 days.' },
  endDate: { type: 'string', format: 'date-time', description: 'ISO 8601; nominal, may have passed.' },
  clobTokenId: { ...token, description: 'Token of the YES outcome.' },
  outcome: {
    type: 'string',
    description:
      'What the outcome is called whose probability is given, where that is not "Yes": a team, "Over", "Up".',
  },
} as const;

/** The fields beyond those, in the order of `fields=all`. Prices are those of YES, 0 to 1. */
const MORE_FIELDS = {
  volume24h: { ...usd, description: 'Volume of the last 24 hours in USD.' },
  bestBid: price,
  bestAsk: price,
  spread: { type: 'number', description: 'Best ask minus best bid.' },
  lastTradePrice: price,
  eventSlug: { type: 'string', description: 'The event that the market belongs to.' },
  eventTitle: { type: 'string' },
  groupItemTitle: { type: 'string', description: "The market's short name inside its event." },
  negRisk: { type: 'boolean', description: 'Whether at most one market of the event can end with YES.' },
  category: {
    type: 'string',
    enum: CATEGORY_NAMES,
    description: 'The first of the five categories that the market belongs to; left out without one.',
  },
  tags: { type: 'array', items: { type: 'string' }, description: "Upstream's tag slugs." },
  outcomes: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'tokenId'],
      properties: {
        label: { type: 'string' },
        tokenId: token,
        probability: { ...percent, description: 'Percent.' },
      },
    },
  },
  url: { type: 'string', format: 'uri', description: 'The public page of the market.' },
  image: { type: 'string' },
  createdAt: { type: 'string', format: 'date-time' },
  minimumTickSize: price,
  protocolVersion: { type: 'string', enum: ['v1', 'v2'] },
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

/** An event but for its markets. */
const EVENT_FIELDS = {
  slug: { type: 'string' },
  title: { type: 'string' },
  volume: { ...usd, description: 'Lifetime volume of its open markets in USD.' },
  volume24h: { ...usd, description: 'Their volume of the last 24 hours in USD.' },
  liquidity: { ...usd, description: 'Their liquidity in USD.' },
  endDate: { type: 'string', format: 'date-time', description: 'The latest of them.' },
  tags: { type: 'array', items: { type: 'string' }, description: 'The tag slugs of any of them.' },
  topMarket: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'question', 'currentProbability', 'clobTokenId'],
    description: 'The most probable of them: the favourite.',
    properties: {
      id: DEFAULT_FIELDS.id,
      question: DEFAULT_FIELDS.question,
      slug: DEFAULT_FIELDS.slug,
      groupItemTitle: MORE_FIELDS.groupItemTitle,
      currentProbability: DEFAULT_FIELDS.currentProbability,
      clobTokenId: DEFAULT_FIELDS.clobTokenId,
      outcome: DEFAULT_FIELDS.outcome,
    },
  },
} as const;

const EVENT = {
  type: 'object',
  additionalProperties: false,
  required: ['slug', 'title', 'volume', 'volume24h', 'liquidity', 'endDate', 'markets', 'tags', 'topMarket'],
} as const;

/** Schemas of the market endpoints, see schemas.ts. */
export const MARKET_SCHEMAS = {
  Market: {
    type: 'object',
    additionalProperties: false,
    required: REQUIRED,
    properties: DEFAULT_FIELDS,
  },
  MarketWithAllFields: {
    type: 'object',
    additionalProperties: false,
    required: [...REQUIRED, 'tags', 'outcomes', 'protocolVersion'],
    properties: { ...DEFAULT_FIELDS, ...MORE_FIELDS },
  },
  MarketSelection: {
    type: 'object',
    additionalProperties: false,
    description:
      'The fields that the parameter `fields` names; those that a market does not have are left out.',
    properties: { ...DEFAULT_FIELDS, ...MORE_FIELDS },
  },
  Changes: {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'to', 'asOf', 'added', 'changed', 'removed'],
    description:
      'What makes the list of the snapshot `to` of that of the snapshot `from`: drop the removed, add the added, set the fields of the changed (null: the market has the field no more, but for oneDayPriceChange, where it is a value), then sort by volume descending and id ascending, or as `order` says.',
    properties: {
      from: { type: 'string', description: 'The snapshot that was asked about.' },
      to: { type: 'string', description: 'The newest snapshot: the next `since`.' },
      asOf: { type: 'string', format: 'date-time', description: 'When the prices of `to` were read.' },
      added: { type: 'array', items: { $ref: '#/components/schemas/Market' } },
      changed: { type: 'array', items: { $ref: '#/components/schemas/MarketChange' } },
      removed: { type: 'array', items: { type: 'string' }, description: 'Condition ids.' },
      order: {
        type: 'array',
        items: { type: 'string' },
        description: 'All condition ids in list order; only where that is not by volume and id.',
      },
    },
  },
  MarketChange: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    description: 'The fields of a market that are new or different.',
    properties: {
      ...DEFAULT_FIELDS,
      slug: { type: ['string', 'null'] },
      sevenDayPriceChange: { ...change, type: ['number', 'null'] },
      thirtyDayPriceChange: { ...change, type: ['number', 'null'] },
      outcome: { type: ['string', 'null'] },
    },
  },
  Event: {
    ...EVENT,
    properties: {
      ...EVENT_FIELDS,
      markets: { type: 'integer', minimum: 1, description: 'Number of its open markets.' },
    },
  },
  EventWithMarkets: {
    ...EVENT,
    properties: {
      ...EVENT_FIELDS,
      markets: {
        type: 'array',
        items: {
          anyOf: [{ $ref: '#/components/schemas/Market' }, { $ref: '#/components/schemas/MarketSelection' }],
        },
        description: 'All its open markets, most probable first.',
      },
    },
  },
} as const;

export type MarketField = keyof typeof MARKET_SCHEMAS.MarketWithAllFields.properties;

/** Every field of a market, in the order of `fields=all`. */
export const MARKET_FIELDS = Object.keys(MARKET_SCHEMAS.MarketWithAllFields.properties) as MarketField[];

/** Those of a market without `fields`, in their order. */
export const DEFAULT_MARKET_FIELDS = Object.keys(DEFAULT_FIELDS) as (keyof typeof DEFAULT_FIELDS)[];
