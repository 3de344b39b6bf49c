/** One measured figure, beside what it is held against. Times are medians in ms. */
export interface Figure {
  /** Part of the benchmark it belongs to, for `npm run bench -- <part>`. */
  readonly part: string;
  readonly what: string;
  /** What people would use instead, or the physical limit; absent for figures that stand alone. */
  readonly against?: string;
  readonly unit: 'ms' | 'KB' | 'MB' | 'calls' | 'USD' | 'req/s';
  readonly ours: number;
  readonly theirs?: number;
  /** `ours / theirs`; where more is better, `theirs / ours`. */
  readonly ratio?: number;
  /** Interquartile range of the ratios of all rounds, as a share of their median. */
  readonly spread?: number;
  readonly goal?: Goal;
  /** What the figure says, or why its goal is not reached. */
  readonly note?: string;
}

/** Of the ratio where there is one, else of the value. */
export interface Goal {
  readonly most?: number;
  readonly least?: number;
}

/** Ratios that scatter more than this say nothing: they are reported as such, without a number. */
export const MOST_SPREAD = 0.5;

export function isMeaningless({ spread = 0 }: Figure): boolean {
  return spread > MOST_SPREAD;
}

/** undefined where there is no goal, or the figure means nothing. */
export function meetsGoal(figure: Figure): boolean | undefined {
  const { goal, ratio, ours } = figure;
  if (goal === undefined || isMeaningless(figure)) return undefined;
  const value = ratio ?? ours;
  return value <= (goal.most ?? Number.POSITIVE_INFINITY) && value >= (goal.least ?? 0);
}

export function goalText({ goal, ratio, unit }: Figure): string {
  if (goal === undefined) return '';
  const suffix = ratio === undefined ? ` ${unit}` : ' ×';
  return goal.most === undefined ? `≥ ${goal.least}${suffix}` : `≤ ${goal.most}${suffix}`;
}
