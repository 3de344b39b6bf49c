import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** The numbers and words of docs/specification.md, without deviations and decisions. */
export const SENTENCES: readonly string[] = Array.from(
  readFileSync('docs/specification.md', 'utf8').matchAll(/^(\d+\. .+(?:\n {3,4}\S.*)*)/gm),
  ([text]) => text.replace(/\s+/g, ' ').split(' _De')[0] ?? '',
);

const shown: string[] = [];

/**
 * A test of a lower layer: the name of its file without `.test.ts`, a colon, and its title as it
 * stands there.
 */
type LowerTest = `${string}: ${string}`;
const FILES = readdirSync('test', { recursive: true, encoding: 'utf8' });

/** The test of a sentence over HTTP. `lower` shows its decisions. */
export function sentence(
  text: string,
  check: () => Promise<void> | void,
  ...lower: readonly LowerTest[]
): void {
  shown.push(text);
  it(text, async () => {
    expectTests(lower);
    await check();
  });
}

/** A sentence that tests of lower layers show: it is not tested again. */
export function shownBy(text: string, ...lower: readonly [LowerTest, ...LowerTest[]]): void {
  shown.push(text);
  it(text, () => expectTests(lower));
}

function expectTests(lower: readonly LowerTest[]): void {
  for (const text of lower) {
    const [, name = '', title = ''] = /^(.+?): (.+)$/.exec(text) ?? [];
    const [file, another] = FILES.filter((path) => path.endsWith(`/${name}.test.ts`));
    expect([name, another]).toEqual([name, undefined]);
    expect([title, readFileSync(`test/${file}`, 'utf8').includes(`'${title}'`)]).toEqual([
      title,
      true,
    ]);
  }
}

export function expectShown(): void {
  expect(SENTENCES).toHaveLength(44);
  expect(shown).toEqual(SENTENCES);
}
