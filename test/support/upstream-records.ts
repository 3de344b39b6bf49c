import type { OrderBook } from '../../lambda/core/domain/order-book.ts';
import shapes from './upstream-shapes.json' with { type: 'json' };

/** A market with every field that the catalogue sent in 2026, and a two-sided and a one-sided order book. The values are made up. */
export const UPSTREAM_MARKET: Readonly<Record<string, unknown>> = shapes.market;
export const UPSTREAM_BOOKS: readonly OrderBook[] = shapes.books;

/** An object of upstream and what a reader must make of it. */
export interface UpstreamRecord {
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>>;
  /** `assetIds`: the ids of the outcomes, null for an unsupported version. `conditionId31`, `conditionId32`: the two forms. */
  readonly expect: Readonly<Record<string, unknown>>;
}

const SHORT = `0x01${'d8'.repeat(16)}${'00'.repeat(14)}`;
const positionsOf = (condition: string) => [0n, 1n].map((outcome) => String((BigInt(condition) << 8n) + outcome));
const market = (name: string, fields: UpstreamRecord['object'], expect: UpstreamRecord['expect']): UpstreamRecord => ({
  name,
  object: { id: '559651', outcomes: '["Yes", "No"]', outcomePrices: '["0.1", "0.9"]', negRisk: false, ...fields },
  expect,
});
const TOKENS = [String(3n * 10n ** 76n + 7n), String(2n * 10n ** 75n + 9n)];
const FORMS = { conditionId31: SHORT, conditionId32: `${SHORT}00` };

/** Made up, in the shapes that docs/upstream.md describes under "Versions and ids". */
export const UPSTREAM_RECORDS: readonly UpstreamRecord[] = [
  market(
    'v2 without tokens, short condition id',
    { version: 'v2', conditionId: SHORT, clobTokenIds: null, positionIds: positionsOf(SHORT) },
    { assetIds: positionsOf(SHORT), ...FORMS },
  ),
  market(
    'v2 with tokens of another market, padded condition id',
    { version: 'v2', conditionId: `${SHORT}00`, clobTokenIds: JSON.stringify(TOKENS), positionIds: positionsOf(SHORT) },
    { assetIds: positionsOf(SHORT), ...FORMS },
  ),
  market(
    'v1 with position ids for combos',
    {
      version: 'v1',
      conditionId: `0x${'a4'.repeat(32)}`,
      clobTokenIds: JSON.stringify(TOKENS),
      positionIds: positionsOf(SHORT),
    },
    { assetIds: TOKENS },
  ),
  market('without a version or positions', { clobTokenIds: JSON.stringify(TOKENS) }, { assetIds: TOKENS }),
  { name: 'with all fields', object: UPSTREAM_MARKET, expect: { assetIds: TOKENS } },
  market('of an unknown version', { version: 'v3', positionIds: positionsOf(SHORT) }, { assetIds: null }),
  {
    name: 'data-v2-prices-history-page',
    object: {
      data: [0, 300, 600].map((s) => ({ timestamp: 1_791_238_500 + s, price: 0.505, resolution_seconds: 300 })),
    },
    expect: {},
  },
];
