/**
 * The best `limit` positions, highest score first, ties by the lower position (list order, which is volume
 * descending). Keeps only as many as are asked for, so that a word held by every market does not sort them all.
 *
 * @param limit results wanted: taken as whole, anything below 1 or not a number gives none.
 */
export function bestFirst(
  positions: Iterable<number>,
  score: (position: number) => number,
  limit: number,
): number[] {
  const wanted = Math.floor(limit);
  if (!(wanted >= 1)) return [];
  const best: { position: number; score: number }[] = [];
  for (const position of positions) {
    const entry = { position, score: score(position) };
    const worst = best.at(-1);
    if (best.length >= wanted && worst !== undefined && !before(entry, worst)) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = best[middle];
      if (there !== undefined && before(there, entry)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, entry);
    if (best.length > wanted) best.pop();
  }
  return best.map((entry) => entry.position);
}

function before(a: { position: number; score: number }, b: { position: number; score: number }): boolean {
  return a.score > b.score || (a.score === b.score && a.position < b.position);
}
