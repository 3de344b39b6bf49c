import { expect, it } from '@jest/globals';
import { FUNCTION_MB, heldMemoryMb } from '../../../tools/bench/fixture/held-memory.ts';

/** Half of it is left for Node.js, for a snapshot that is being loaded, and for responses. */
const HELD_MB = FUNCTION_MB / 2;

it.each(['list', 'search'] as const)(
  'the %s holds its snapshots of 50,000 markets in half of its memory',
  async (view) => {
    const markets = 50_000;
    const held = await heldMemoryMb({ markets, view });
    process.stdout.write(`Memory: the ${view} with ${markets} markets holds ${held.toFixed(0)} MB\n`);
    expect(held).toBeGreaterThan(markets / 10_000); // it did hold them
    expect(held).toBeLessThan(HELD_MB);
  },
  120_000,
);
