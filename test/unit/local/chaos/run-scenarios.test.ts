import { describe, expect, it } from '@jest/globals';
import { startUpstream } from 'polymarket-simulator';
import type { ChaosControl } from '../../../../local/chaos/control-client.ts';
import { play } from '../../../../local/chaos/run-scenarios.ts';
import { type ChaosStep, SCRIPT } from '../../../../local/chaos/scenarios.ts';

const FAULT = { route: 'gamma', kind: 'hang' } as const;

/** A stage on which everything happens at once and is written down. */
function stage(overrides: { runs?: () => Promise<void> } = {}) {
  const log: string[] = [];
  const control: ChaosControl = {
    setFault: async (fault) => void log.push(`set ${fault.kind} on ${fault.route}`),
    setUniverse: async ({ share }) => void log.push(`keep ${share}`),
    clearFaults: async () => void log.push('clear'),
  };
  let slept = 0;
  return {
    log,
    slept: () => slept,
    control,
    tell: (text: string) => void log.push(text),
    look: async () => 'all is well',
    runs: async (count: number) => void log.push(`${count} runs`),
    sleep: async (ms: number) => {
      slept = Math.max(slept, ms);
      await new Promise((resolve) => setTimeout(resolve, ms / 1_000));
    },
    lookMs: 5_000,
    refreshMs: 8_000,
    limitMs: 38_000,
    ...overrides,
  };
}

describe('a play', () => {
  const step: ChaosStep = { title: 'It hangs.', expect: 'patience.', faults: [FAULT], refreshes: 2 };

  it('announces each step, sets its faults, tells how the service is, and clears everything', async () => {
    const on = stage();
    await play([step, { ...step, faults: [], universe: { share: 0.5 } }], on);
    expect(on.log).toEqual([
      'CHAOS begins: 2 steps, a refresh every 8 s.',
      'CHAOS 1/2: It hangs. Expect: patience.',
      'set hang on gamma',
      '2 runs',
      'CHAOS 1/2: all is well',
      'clear',
      'keep 1',
      'CHAOS 2/2: It hangs. Expect: patience.',
      'keep 0.5',
      '2 runs',
      'CHAOS 2/2: all is well',
      'clear',
      'keep 1',
      'clear',
      'keep 1',
      'CHAOS is over: all faults are cleared. The service keeps running.',
    ]);
  });

  it('waits until the data must be too old, and looks in between', async () => {
    const on = stage();
    await play([{ ...step, untilStale: true }], on);
    expect(on.slept()).toBe(46_000);
    expect(on.log.filter((line) => line.endsWith('all is well')).length).toBeGreaterThan(2);
  });

  it('clears the faults when it is broken off', async () => {
    const on = stage({ runs: () => Promise.reject(new Error('stopped')) });
    await expect(play([step], on)).rejects.toThrow('stopped');
    expect(on.log.slice(-2)).toEqual(['clear', 'keep 1']);
  });
});

describe('the script', () => {
  it('sets faults that the simulated upstream knows', async () => {
    const upstream = await startUpstream({ markets: 10 });
    try {
      for (const { faults, universe } of SCRIPT) {
        for (const fault of faults) upstream.addFault(fault);
        if (universe !== undefined) upstream.setUniverse(universe);
      }
      expect(upstream.state().faults.length).toBeGreaterThan(4);
    } finally {
      await upstream.close();
    }
  });

  it('tells of itself in sentences, and ends with nothing wrong', () => {
    for (const { title, expect: expected } of SCRIPT) {
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect(expected).toMatch(/^[a-z].*\.$/);
    }
    expect(SCRIPT.at(-1)).toMatchObject({ faults: [] });
    expect(SCRIPT.at(-1)).not.toHaveProperty('universe');
  });
});
