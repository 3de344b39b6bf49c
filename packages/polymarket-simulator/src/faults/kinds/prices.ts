import { otherTokens, spoilMidpoint } from '../changes.ts';
import type { FaultKind } from '../kind.ts';

/** Faults of prices, books and histories. */
export const PRICE_FAULTS = {
  'midpoints-missing': {
    summary: 'a "share" (default 0.5) of the midpoints is missing',
    routes: ['midpoints'],
    effect(options) {
      const share = options.share('share') ?? 0.5;
      return {
        change: (body, { draw }) =>
          Object.fromEntries(Object.entries(body as object).filter(() => !draw.chance(share))),
      };
    },
  },
  'midpoints-invalid': {
    summary: 'a "share" (default 1) of the midpoints is out of 0..1, not a number, or not a string',
    routes: ['midpoints'],
    effect(options) {
      const share = options.share('share') ?? 1;
      return {
        change: (body, { draw }) =>
          Object.fromEntries(
            Object.entries(body as object).map(([token, mid]) => [
              token,
              draw.chance(share) ? spoilMidpoint(draw) : mid,
            ]),
          ),
      };
    },
  },
  'wrong-token': {
    summary: 'books, prices or histories of another token: their asset_id, or their key in a map',
    routes: ['book', 'books', 'midpoints', 'prices', 'batch-prices-history'],
    effect: () => ({ change: otherTokens }),
  },
} as const satisfies Readonly<Record<string, FaultKind>>;
