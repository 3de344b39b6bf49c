import { readFileSync } from 'node:fs';
import { it } from '@jest/globals';

/** The numbered sentences of docs/specification.md, without deviations and decisions. */
export const SENTENCES: ReadonlyMap<number, string> = new Map(
  [...readFileSync('docs/specification.md', 'utf8').matchAll(/^(\d+)\. (.+(?:\n {3,4}\S.*)*)/gm)].map(
    ([, number, text = '']) => [Number(number), text.replace(/\s+/g, ' ').split(' _De')[0] ?? ''],
  ),
);

/** The test of a sentence. A failure prints the sentence. */
export function sentence(number: number, check: () => Promise<void> | void): void {
  it(`${number}. ${SENTENCES.get(number)}`, check);
}
