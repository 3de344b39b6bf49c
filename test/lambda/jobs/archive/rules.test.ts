import { describe, expect, it } from '@jest/globals';
import { type RulesReader, readRulesOf } from '../../../../lambda/jobs/archive/rules.ts';

// Gamma has the rules of each market: a text that says how it resolves. The archive reads the rules
// of the markets of a day.

const NOW = Date.parse('2026-11-22T00:20:00Z');
/** Condition ids of 31 bytes. */
const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `0x${n.toString(16).padStart(62, 'a')}`);
const RULES = { description: 'If it happens.', readAt: NOW };

interface Call {
  /** How many markets it requests. */
  readonly ids: number;
  /** Whether it requests closed markets. Gamma has open and closed ones apart. */
  readonly areClosed: boolean;
  readonly timeoutMs: number;
}

/**
 * Reads the rules of these markets from Gamma.
 *
 * @param inGamma the markets of a call that Gamma has
 * @returns the ids with rules, the calls and the warnings
 */
async function rulesOf(
  requested: readonly string[],
  inGamma: (ids: readonly string[], areClosed: boolean) => readonly string[],
) {
  const calls: Call[] = [];
  const warnings: unknown[] = [];
  const reader: RulesReader = {
    rules: {
      read: async (group, areClosed, { deadline }) => {
        calls.push({ ids: group.length, areClosed, timeoutMs: deadline - NOW });
        // Gamma pads an id of 31 bytes to 32.
        return new Map(inGamma(group, areClosed).map((id) => [`${id}00`, RULES]));
      },
    },
    clock: { now: () => NOW, after: () => () => undefined },
    logger: { warn: (message) => warnings.push(message) },
  };
  const found = await readRulesOf(requested, reader);
  return { found: found.map(({ id }) => id), calls, warnings };
}

describe('the rules of the markets of a day', () => {
  it('are read with 40 ids a call, all within a minute, in the order of the ids', async () => {
    const { found, calls, warnings } = await rulesOf(ids(90), (group) => group.toReversed());
    expect(found).toEqual(ids(90));
    expect(calls).toEqual(
      [40, 40, 10].map((count) => ({ ids: count, areClosed: false, timeoutMs: 60_000 })),
    );
    expect(warnings).toEqual([]);
  });

  it('are read from the closed markets if no open one has the id', async () => {
    const [first = '', , third = ''] = ids(3);
    const { found, calls } = await rulesOf(ids(3), (_, areClosed) => [areClosed ? third : first]);
    expect(found).toEqual([first, third]);
    expect(calls).toMatchObject([
      { ids: 3, areClosed: false },
      { ids: 2, areClosed: true },
    ]);
  });

  it('are left out if Gamma does not respond, with one warning', async () => {
    const { found, warnings } = await rulesOf(ids(80), (group) => {
      if (group.includes(ids(1)[0] ?? '')) throw new Error('upstream');
      return group;
    });
    expect(found).toEqual(ids(80).slice(40));
    expect(warnings).toEqual(['The archive could not read all rules']);
  });
});
