/** A measured value and its target. */
export interface Result {
  readonly name: string;
  /** How it was measured, for example the reference of a ratio. */
  readonly detail: string;
  readonly value: number;
  readonly unit: '×' | 's' | 'MB' | 'write units';
  /** The greatest value that meets the target. */
  readonly target: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  );
}
