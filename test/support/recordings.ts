import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';

/** Recorded responses of upstream. They are not part of the project. */
export const RECORDINGS = process.env.RECORDINGS ?? join(process.cwd(), '../shared/recordings');

/** A test of recorded responses. Without recordings it is skipped with a warning. */
export function withRecordings(name: string, test: () => void | Promise<void>): void {
  if (existsSync(join(RECORDINGS, 'gamma-markets.json'))) {
    it(name, test);
    return;
  }
  console.warn(`SKIPPED, no recordings in ${RECORDINGS} (set RECORDINGS): ${name}`);
  it.skip(name, test);
}

/** An object of Protocol V2 and what a reader must make of it. */
export interface ProtocolFixture {
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** The recorded objects of Protocol V2. */
export function protocolFixtures(): readonly ProtocolFixture[] {
  return readRecording<{ fixtures: ProtocolFixture[] }>('protocol-v2.json').fixtures;
}

export function readRecording<T>(file: string): T {
  return JSON.parse(readFileSync(join(RECORDINGS, file), 'utf8'));
}
