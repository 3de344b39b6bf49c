import { readFileSync } from 'node:fs';
import type { Period } from './period-meter.ts';

export interface Simulated {
  readonly scenario: string;
  readonly periods: readonly Period[];
}

export const RESULTS_FILE = new URL('./results.json', import.meta.url);

/** What `npm run simulate` wrote down. */
export function readSimulated(): readonly Simulated[] {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8'));
}
