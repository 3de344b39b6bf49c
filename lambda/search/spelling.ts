/** How far apart two terms are, for the typos a person makes. */

/**
 * Number of single-letter edits (one letter missing, added, changed, or two neighbours swapped) between two terms:
 * the optimal string alignment distance. Swaps count once because "lakres" is one typo, not two.
 *
 * @returns the distance, or `limit + 1` for anything farther than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    // A swap reaches two rows back, so a row may be one over the limit and still be recovered from.
    if (best > limit + 1) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(at(last, b.length), limit + 1);
}

/** Edits forgiven in a term: none in one so short that an edit makes another word, two in a long one. */
export function maxEdits(term: string): 0 | 1 | 2 {
  if (term.length < 4) return 0;
  return term.length < 8 ? 1 : 2;
}

/**
 * Which letters a term holds, as a set of 32 bits. One edit changes at most two of the bits, so two terms whose sets
 * differ in more than `2 × limit` bits cannot be near each other: a cheap test before {@link editDistance}.
 */
export function letterSet(term: string): number {
  let set = 0;
  for (let index = 0; index < term.length; index += 1) set |= 1 << (term.charCodeAt(index) & 31);
  return set;
}

/** Number of bits that differ between two letter sets. */
export function differingLetters(a: number, b: number): number {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Cells outside the table cost more than any limit. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.MAX_SAFE_INTEGER;
}
