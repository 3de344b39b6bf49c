import { describe, expect, it } from '@jest/globals';
import { startUpstream } from 'polymarket-simulator';
import type { ChaosControl } from '../../../../local/chaos/control-client.ts';
import { runScenarios } from '../../../../local/chaos/run-scenarios.ts';
import { type ChaosScenario, SCENARIOS } from '../../../../local/chaos/scenarios.ts';

const FAULT = { route: 'gamma', kind: 'hang' } as const;

/** A service on which everything happens at once and is written down. */
function target(overrides: { runs?: () => Promise<void> } = {}) {
  const log: string[] = [];
  const control: ChaosControl = {
    setFault: async (fault) => void log.push(`set ${fault.kind} on ${fault.route}`),
    changeDataset: async ({ share }) => void log.push(`keep ${share}`),
    clearFaults: async () => void log.push('clear'),
  };
  let slept = 0;
  return {
    log,
    slept: () => slept,
    control,
    tell: (text: string) => void log.push(text),
    probe: async () => 'all is well',
    runs: async (count: number) => void log.push(`${count} runs`),
    sleep: async (ms: number) => {
      slept = Math.max(slept, ms);
      await new Promise((resolve) => setTimeout(resolve, ms / 1_000));
    },
    pointerLookMs: 5_000,
    refreshMs: 8_000,
    limitMs: 38_000,
    ...overrides,
  };
}

describe('a run of scenarios', () => {
  const scenario: ChaosScenario = { title: 'It hangs.', expect: 'patience.', faults: [FAULT], refreshes: 2 };

  it('announces each scenario, sets its faults, tells how the service is, and clears everything', async () => {
    const on = target();
    await runScenarios([scenario, { ...scenario, faults: [], dataset: { share: 0.5 } }], on);
    expect(on.log).toEqual([
      'CHAOS begins: 2 scenarios, a refresh every 8 s.',
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
    const on = target();
    await runScenarios([{ ...scenario, untilStale: true }], on);
    expect(on.slept()).toBe(46_000);
    expect(on.log.filter((line) => line.endsWith('all is well')).length).toBeGreaterThan(2);
  });

  it('clears the faults when it is broken off', async () => {
    const on = target({ runs: () => Promise.reject(new Error('stopped')) });
    await expect(runScenarios([scenario], on)).rejects.toThrow('stopped');
    expect(on.log.slice(-2)).toEqual(['clear', 'keep 1']);
  });
});

describe('the scenarios', () => {
  it('sets faults that the simulated upstream knows', async () => {
    const upstream = await startUpstream({ markets: 10 });
    try {
      for (const { faults, dataset } of SCENARIOS) {
        for (const fault of faults) upstream.addFault(fault);
        if (dataset !== undefined) upstream.changeDataset(dataset);
      }
      expect(upstream.state().faults.length).toBeGreaterThan(4);
    } finally {
      await upstream.close();
    }
  });

  it('tells of itself in sentences, and ends with nothing wrong', () => {
    for (const { title, expect: expected } of SCENARIOS) {
      expect(title).toMatch(/^[A-Z].*\.$/);
      expect(expected).toMatch(/^[a-z].*\.$/);
    }
    expect(SCENARIOS.at(-1)).toMatchObject({ faults: [] });
    expect(SCENARIOS.at(-1)).not.toHaveProperty('dataset');
  });
});
