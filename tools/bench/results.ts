import { readFileSync } from 'node:fs';
import type { Results } from './harness/report.ts';

/** The committed results, which `--quick` compares with and docs/performance.md is made from. */
export const RESULTS_FILE: URL = new URL('./results.json', import.meta.url);

export function readResults(): Results {
  return JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Results;
}
