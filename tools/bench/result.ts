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

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const lower = sorted[Math.floor(middle)] ?? Number.NaN;
  const upper = sorted[Math.ceil(middle)] ?? Number.NaN;
  return (lower + upper) / 2;
}
