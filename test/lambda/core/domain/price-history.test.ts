// A price history of Polymarket contains values that the service cannot use: 0.5 where the book was
// empty, which is no price, and jumps, after which older prices say little.

import { expect, it } from '@jest/globals';
import { lastJump, withoutEmptyBooks } from '../../../../lambda/core/domain/price-history.ts';

// Upstream writes 0.5, the middle of 0 and 1, for a market whose book is empty. If the nearest
// other price before or after it differs by more than 0.05, `withoutEmptyBooks` replaces it by
// `null`.
it.each([
  ['after another price', [0.7, 0.5, 0.5], [0.7, null, null]],
  ['before another price', [0.5, 0.3], [null, 0.3]],
  ['beside a price within 0.05', [0.46, 0.5, 0.54], [0.46, 0.5, 0.54]],
  ['without any other price', [0.5, 0.5], [0.5, 0.5]],
])('a price of 0.5 %s: %j becomes %j', (_place, prices, expected) => {
  const history = withoutEmptyBooks(prices.map((p, n) => ({ t: n, p })));
  expect(history).toEqual(expected.map((p, n) => ({ t: n, p })));
});

// A jump is a change of more than 0.1 between two known prices; `lastJump` returns its time. The
// points have the times 1, 2, 3 and so on, and 0 means that there is no jump.
it.each([
  ['at the first point after the jump', [0.4, 0.6, 0.6], 2],
  ['at the later one of two jumps', [0.4, 0.6, 0.4, 0.4], 3],
  ['found across an unknown price', [0.4, null, 0.6], 3],
  ['not found if only an unknown price lies between', [0.4, null, 0.4], 0],
  ['not found in steps of 0.1', [0.4, 0.5, 0.6], 0],
])('the last jump of a history is %s: %j', (_where, prices, expected) => {
  expect(lastJump(prices.map((p, n) => ({ t: n + 1, p })))).toBe(expected);
});
