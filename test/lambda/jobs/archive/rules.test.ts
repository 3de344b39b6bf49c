import { describe, expect, it } from '@jest/globals';
import { type RulesReader, readRulesOf } from '../../../../lambda/jobs/archive/rules.ts';

const NOW = Date.parse('2026-11-22T00:20:00Z');
/** Condition ids of 31 bytes. */
const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `0x${n.toString(16).padStart(62, 'a')}`);
const RULES = { description: 'If it happens.', readAt: NOW };

/**
 * Reads rules from a Gamma that has some of the markets.
 *
 * @param read the markets that Gamma has of those in a call
 * @returns the ids with rules, and each call as its number of ids, its kind, and its time-out in ms
 */
async function rulesOf(
  asked: readonly string[],
  read: (ids: readonly string[], areClosed: boolean) => readonly string[],
) {
  const calls: [number, boolean, number][] = [];
  const warnings: unknown[] = [];
  const reader: RulesReader = {
    rules: {
      read: async (group, areClosed, { deadline }) => {
        calls.push([group.length, areClosed, deadline - NOW]);
        // Gamma pads an id of 31 bytes to 32.
        return new Map(read(group, areClosed).map((id) => [`${id}00`, RULES]));
      },
    },
    clock: { now: () => NOW, after: () => () => undefined },
    logger: { warn: (message) => warnings.push(message) },
  };
  const found = await readRulesOf(asked, reader);
  return { found: found.map(({ id }) => id), calls, warnings };
}

describe('the rules of the markets of a day', () => {
  it('are read with 40 ids a call, all within a minute, in the order of the ids', async () => {
    const { found, calls, warnings } = await rulesOf(ids(90), (group) => group.toReversed());
    expect(found).toEqual(ids(90));
    expect(calls).toEqual([40, 40, 10].map((count) => [count, false, 60_000]));
    expect(warnings).toEqual([]);
  });

  it('are read from the closed markets if no open one has the id', async () => {
    const [first = '', , third = ''] = ids(3);
    const { found, calls } = await rulesOf(ids(3), (_, areClosed) => [areClosed ? third : first]);
    expect(found).toEqual([first, third]);
    expect(calls.map(([count]) => count)).toEqual([3, 2]);
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
