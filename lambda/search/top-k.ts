/** A position of the list and how well it matches. */
interface Scored {
  readonly position: number;
  readonly score: number;
}

/** Up to here the results are kept in order while they are found; a longer list is cheaper to sort at the end. */
const INSERTION_LIMIT = 200;

/**
 * The best `limit` positions, highest score first, ties by the lower position (list order, which is volume
 * descending). Keeps only as many as are asked for, so that a term held by every market does not sort them all.
 *
 * @param limit results wanted: taken as whole, anything below 1 or not a number gives none.
 */
export function topK(
  positions: Iterable<number>,
  scoreOf: (position: number) => number,
  limit: number,
): number[] {
  const wanted = Math.floor(limit);
  if (!(wanted >= 1)) return [];
  const best = wanted > INSERTION_LIMIT ? sorted(positions, scoreOf) : inserted(positions, scoreOf, wanted);
  if (best.length > wanted) best.length = wanted;
  return best.map((entry) => entry.position);
}

function sorted(positions: Iterable<number>, scoreOf: (position: number) => number): Scored[] {
  const all: Scored[] = [];
  for (const position of positions) all.push({ position, score: scoreOf(position) });
  return all.sort((a, b) => b.score - a.score || a.position - b.position);
}

function inserted(
  positions: Iterable<number>,
  scoreOf: (position: number) => number,
  wanted: number,
): Scored[] {
  const best: Scored[] = [];
  for (const position of positions) {
    const entry = { position, score: scoreOf(position) };
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
  return best;
}

function before(a: Scored, b: Scored): boolean {
  return a.score > b.score || (a.score === b.score && a.position < b.position);
}
