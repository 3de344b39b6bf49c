import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';

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

/** An object of protocol-v2.json with what its recorder expects of a reader. */
export interface ProtocolFixture {
  readonly name: string;
  readonly protocol: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** The recorded objects around Protocol V2; none where there are no recordings, which is said aloud. */
export function protocolFixtures(): readonly ProtocolFixture[] {
  const file = 'protocol-v2.json';
  if (existsSync(join(RECORDINGS, file)))
    return readRecording<{ fixtures: ProtocolFixture[] }>(file).fixtures;
  console.warn(`SKIPPED for want of ${file} in ${RECORDINGS} (set RECORDINGS): the objects of Protocol V2`);
  return [];
}

export function readRecording<T>(file: string): T {
  return JSON.parse(readFileSync(join(RECORDINGS, file), 'utf8'));
}
