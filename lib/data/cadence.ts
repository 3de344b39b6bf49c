import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';

const MINUTES = 60;

/**
 * When the refresher runs: full runs every `refreshMinutes` from the full hour on, and between them price runs at half
 * that distance, at least a minute. All by cron expressions, so that the two keep their distance whatever the moment of
 * the deployment.
 */
export function cadences(refreshMinutes: number): {
  readonly full: ScheduleExpression;
  /** Undefined where a full run is due each minute. */
  readonly prices: ScheduleExpression | undefined;
} {
  const full = every(refreshMinutes, MINUTES);
  const step = priceMinutes(refreshMinutes);
  const between = full.flatMap((start, n) =>
    every(step, (full[n + 1] ?? MINUTES) - start)
      .slice(1)
      .map((minutes) => start + minutes),
  );
  return { full: at(full), prices: between.length === 0 ? undefined : at(between) };
}

/** Minutes between two readings of the prices, of whichever kind of run. */
export function priceMinutes(refreshMinutes: number): number {
  return Math.max(1, Math.floor(refreshMinutes / 2));
}

function every(step: number, end: number): number[] {
  return Array.from({ length: Math.ceil(end / step) }, (_, n) => n * step);
}

function at(minutes: readonly number[]): ScheduleExpression {
  return ScheduleExpression.expression(`cron(${minutes.join(',')} * * * ? *)`);
}
