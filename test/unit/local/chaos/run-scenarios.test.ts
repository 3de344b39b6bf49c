import { describe, expect, it } from '@jest/globals';
import { startUpstream } from 'polymarket-simulator';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { ChaosControl } from '../../../../local/chaos/control-client.ts';
import { runScenarios } from '../../../../local/chaos/run-scenarios.ts';
import { type ChaosScenario, SCENARIOS } from '../../../../local/chaos/scenarios.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const POINTER_LOOK_MS = 5_000;
const REFRESH_MS = 8_000;
const LIMIT_MS = 38_000;
const FAULT = { route: 'gamma', kind: 'hang' } as const;

/** A service on which everything happens at once and is written down. */
function target(overrides: { runs?: () => Promise<void> } = {}) {
  const log: string[] = [];
  const control: ChaosControl = {
    setFault: async (fault) => void log.push(`set ${fault.kind} on ${fault.route}`),
    changeDataset: async ({ share }) => void log.push(`keep ${share}`),
    clearFaults: async () => void log.push('clear'),
  };
  const clock = new ManualClock();
  return {
    log,
    clock,
    control,
    tell: (text: string) => void log.push(text),
    probe: async () => 'all is well',
    runs: async (count: number) => void log.push(`${count} runs`),
    sleep: (ms: number) => sleep(clock, ms),
    pointerLookMs: POINTER_LOOK_MS,
    refreshMs: REFRESH_MS,
    limitMs: LIMIT_MS,
    ...overrides,
  };
}

describe('a run of scenarios', () => {
  const scenario: ChaosScenario = { title: 'It hangs.', expect: 'patience.', faults: [FAULT], refreshes: 2 };

  it('announces each scenario, sets its faults, tells how the service is, and clears everything', async () => {
    const on = target();
    const running = runScenarios([scenario, { ...scenario, faults: [], dataset: { share: 0.5 } }], on);
    await on.clock.advance(2 * POINTER_LOOK_MS);
    await running;
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
    const isOver = () => on.log.at(-1)?.startsWith('CHAOS is over');
    const running = runScenarios([{ ...scenario, untilStale: true }], on);
    await on.clock.advance(LIMIT_MS + REFRESH_MS + POINTER_LOOK_MS - 1);
    expect(isOver()).toBe(false);
    await on.clock.advance(1);
    expect(isOver()).toBe(true);
    await running;
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
