/** Beyond this many differing letters nobody meant the other word. */
const MAX_EDITS = 2;

/** ` (did you mean …?)`, or nothing when no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(candidate.length / 2)))
    .sort((one, other) => one.edits - other.edits);
  return nearest ? ` (did you mean ${nearest.candidate}?)` : '';
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
