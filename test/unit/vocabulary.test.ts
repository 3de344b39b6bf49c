import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sourcesIn } from '../support/import-graph.ts';

interface Rule {
  readonly why: string;
  readonly pattern: RegExp;
  /** Rooms that keep it. */
  readonly rooms: readonly string[];
}

/** All code, tests included. */
const CODE = ['bin', 'lib', 'lambda', 'local', 'packages', 'tools', 'test'];

/** What people read: the room of every page of the repository. */
const PAGES = '**/*.md';

/** The field's own words, in plain order. A room joins a rule when it keeps it, and does not leave again. */
const RULES: readonly Rule[] = [
  {
    why: 'a callback parameter is a noun, not "it"',
    pattern: /\(it\)? =>|[([](?:\w*, )*it(?:,|]|: )/,
    rooms: CODE,
  },
  {
    why: 'a caller is "they" or "the caller"',
    pattern: /\b(he|him|his|she|her|hers)\b/i,
    rooms: [...CODE, PAGES],
  },
  {
    why: 'a rate limiter checks and a middleware wraps; nothing is a gate',
    pattern: /\b(gate|gates|gated|gatekeeper|admits?|admitted|admission)\b/i,
    rooms: [...CODE, PAGES],
  },
  {
    why: 'HTTP has responses, not answers',
    // `gatewayAnswer` is a field of the access log, by which deployed queries ask.
    pattern: /(?<!gateway)answer/i,
    rooms: [...CODE, PAGES],
  },
  {
    why: 'a test or simulator has a dataset, scenarios, a probe and a context',
    pattern: /[uU]niverse|\bworld\(|new World\b|[sS]urroundings|[nN]arrat/,
    rooms: [...CODE, PAGES],
  },
  {
    why: 'a search has scores, edits and content terms',
    pattern: /\b(?:rarity|slips?|telling|bestFirst)\b/i,
    rooms: ['lambda/search'],
  },
  {
    why: 'what waits is bounded by withTimeout, and shared by a single flight',
    pattern: /\b(?:underWay|withDeadline|waitUntil)\b|#(?:within|race|underWay)\b/,
    rooms: CODE,
  },
  {
    why: 'what is private has a #',
    pattern: /^\s*(?:static )?private (?!constructor\b)/,
    rooms: CODE,
  },
  {
    why: 'a sentence says why by itself, and cites no list that is not in the repository',
    pattern: /\bF\d{1,3}\b|\bof issue \d/,
    rooms: [...CODE, PAGES],
  },
];

function filesIn(room: string): string[] {
  if (room !== PAGES) return sourcesIn(room).filter((file) => file !== 'test/unit/vocabulary.test.ts');
  return globSync(PAGES, { exclude: ['**/node_modules', 'cdk.out', '**/dist', '.venv', '.stryker-tmp'] });
}

describe.each(RULES)('$why', ({ pattern, rooms }) => {
  it.each(rooms)('in %s', (room) => {
    const found = filesIn(room).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe('the glossary', () => {
  const rows = [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| (.+?) +\| /gm)].map(([, first]) =>
    String(first),
  );
  const words = rows.slice(1);
  /** Without blanks and hyphens, so that "price memory" is also `PriceMemory` and `price-memory`. */
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '');

  it('stands in the order of the alphabet', () => {
    expect(words.length).toBeGreaterThan(20);
    expect(words).toEqual(words.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
  });

  it('explains words that what is deployed has', () => {
    const code = bare(
      ['bin', 'lib', 'lambda']
        .flatMap(sourcesIn)
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n'),
    );
    expect(words.flatMap((row) => row.split(', ')).filter((word) => !code.includes(bare(word)))).toEqual([]);
  });
});
