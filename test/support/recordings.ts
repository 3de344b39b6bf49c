import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';

/** Real upstream answers; they are not part of the project. */
export const RECORDINGS = process.env.RECORDINGS ?? join(process.cwd(), '../shared/recordings');

/** A test on recorded answers: skipped, loudly, where there are none. */
export function withRecordings(name: string, test: () => void | Promise<void>): void {
  if (existsSync(join(RECORDINGS, 'gamma-markets.json'))) {
    it(name, test);
    return;
  }
  console.warn(`SKIPPED for want of recordings in ${RECORDINGS} (set RECORDINGS): ${name}`);
  it.skip(name, test);
}

export function readRecording<T>(file: string): T {
  return JSON.parse(readFileSync(join(RECORDINGS, file), 'utf8'));
}
