/** The most of these moments in any `ms` milliseconds. */
export function mostWithin(moments: readonly number[], ms: number): number {
  const sorted = [...moments].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [last, moment] of sorted.entries()) {
    while (moment - (sorted[first] ?? 0) >= ms) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
