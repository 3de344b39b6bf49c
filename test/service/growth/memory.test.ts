import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import type { MemoryQuestion } from './memory-worker.ts';

/** Memory of the functions that read snapshots (lib/api/read-functions.ts). */
const FUNCTION_MB = 1_024;
/** Half of it is left for Node.js, for a snapshot that is being loaded, and for responses. */
const HELD_MB = FUNCTION_MB / 2;

async function heldMb(question: MemoryQuestion): Promise<number> {
  const worker = new Worker(new URL('./memory-worker.ts', import.meta.url), {
    workerData: question,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: FUNCTION_MB },
  });
  try {
    const [{ held }] = (await once(worker, 'message')) as [{ held: number }];
    return held;
  } finally {
    await worker.terminate();
  }
}

it.each([
  ['list', 50_000],
  ['search', 50_000],
] as const)(
  'the %s holds its snapshots of %i markets in half of its memory',
  async (view, markets) => {
    const held = await heldMb({ markets, view });
    process.stdout.write(`Memory: the ${view} with ${markets} markets holds ${held.toFixed(0)} MB\n`);
    expect(held).toBeGreaterThan(markets / 10_000); // it did hold them
    expect(held).toBeLessThan(HELD_MB);
  },
  120_000,
);
