import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { MADE_FIXTURES, type ProtocolFixture } from './protocol-fixtures.ts';

/** Real upstream responses; they are not part of the project. */
export const RECORDINGS = process.env.RECORDINGS ?? join(process.cwd(), '../shared/recordings');

/** A test on recorded responses: skipped, loudly, where there are none. */
export function withRecordings(name: string, test: () => void | Promise<void>): void {
  if (existsSync(join(RECORDINGS, 'gamma-markets.json'))) {
    it(name, test);
    return;
  }
  console.warn(`SKIPPED for want of recordings in ${RECORDINGS} (set RECORDINGS): ${name}`);
  it.skip(name, test);
}

/** Objects around Protocol V2: made up ones, and recorded ones where there are recordings; their want is said aloud. */
export function protocolFixtures(): readonly ProtocolFixture[] {
  const file = 'protocol-v2.json';
  if (existsSync(join(RECORDINGS, file)))
    return MADE_FIXTURES.concat(readRecording<{ fixtures: ProtocolFixture[] }>(file).fixtures);
  console.warn(
    `SKIPPED for want of ${file} in ${RECORDINGS} (set RECORDINGS): the recorded objects of Protocol V2`,
  );
  return MADE_FIXTURES;
}

export function readRecording<T>(file: string): T {
  return JSON.parse(readFileSync(join(RECORDINGS, file), 'utf8'));
}
