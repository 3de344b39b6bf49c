import type { Hour } from './hour.ts';

/** How old the data was that readers were served, in seconds, and how many were served none. */
export interface Distribution {
  readonly responses: number;
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Share of the responses that were 502. */
  readonly refused: number;
}

export function distribution(readings: Hour['readings']): Distribution {
  const ages = readings
    .flatMap(({ ageMs }) => (ageMs === undefined ? [] : [ageMs / 1_000]))
    .sort((a, b) => a - b);
  const quantile = (share: number) => ages[Math.min(ages.length - 1, Math.floor(ages.length * share))] ?? 0;
  return {
    responses: readings.length,
    min: quantile(0),
    median: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max: quantile(1),
    refused: 1 - ages.length / readings.length,
  };
}

/** One line for a person. */
export function described(name: string, hour: Hour, { responses, refused, ...ages }: Distribution): string {
  const seconds = Object.entries(ages).map(([label, value]) => `${label} ${value.toFixed(1)}`);
  const published = hour.runs.filter(({ outcome }) => outcome === 'published').length;
  return `${name}: ${responses} responses, age in s ${seconds.join(', ')}; 502 ${(100 * refused).toFixed(1)} %; ${published} of ${hour.runs.length + hour.killed} runs published`;
}
