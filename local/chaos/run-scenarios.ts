import type { ChaosControl } from './control-client.ts';
import type { ChaosScenario } from './scenarios.ts';

/** Of an interval: a run that is on time has ended by then, and what it did is told at its end. */
const PROBE_AFTER = 1.25;

/** What the scenarios need of the running service. */
export interface ChaosTarget {
  readonly control: ChaosControl;
  /** Tells the person at the terminal. */
  readonly tell: (text: string) => void;
  /** What the service says now, as a sentence. */
  readonly probe: () => Promise<string>;
  /** Ends when so many runs have ended that began from now on. */
  readonly runs: (count: number) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
  /** What the readers' containers know may be so old; then they look again. */
  readonly pointerLookMs: number;
  /** Time between two runs, and the age after which nothing is served. */
  readonly refreshMs: number;
  readonly limitMs: number;
}

/**
 * Runs the scenarios in turn: each is announced, its faults are set, and at its end, and now and then in a long one, the
 * service is asked how it is. At the end nothing is wrong any more.
 */
export async function runScenarios(scenarios: readonly ChaosScenario[], target: ChaosTarget): Promise<void> {
  const { control, tell } = target;
  tell(`CHAOS begins: ${scenarios.length} scenarios, a refresh every ${target.refreshMs / 1_000} s.`);
  try {
    for (const [index, scenario] of scenarios.entries()) {
      const number = `CHAOS ${index + 1}/${scenarios.length}`;
      tell(`${number}: ${scenario.title} Expect: ${scenario.expect}`);
      for (const fault of scenario.faults) await control.setFault(fault);
      if (scenario.dataset !== undefined) await control.changeDataset(scenario.dataset);
      await watch(scenario, number, target);
      await clear(control);
    }
  } finally {
    await clear(control);
  }
  tell('CHAOS is over: all faults are cleared. The service keeps running.');
}

async function watch(scenario: ChaosScenario, number: string, target: ChaosTarget): Promise<void> {
  let over = false;
  const ended = lengthOf(scenario, target).then(() => {
    over = true;
  });
  const probe = async () => target.tell(`${number}: ${await target.probe()}`);
  for (;;) {
    await Promise.race([ended, target.sleep(target.refreshMs * PROBE_AFTER)]);
    if (over) break;
    await probe();
  }
  await target.sleep(target.pointerLookMs);
  await probe();
}

/** Data that was new at the beginning is too old one interval after its limit. */
function lengthOf(scenario: ChaosScenario, { runs, sleep, refreshMs, limitMs }: ChaosTarget): Promise<void> {
  return scenario.untilStale ? sleep(limitMs + refreshMs) : runs(scenario.refreshes);
}

async function clear(control: ChaosControl): Promise<void> {
  await control.clearFaults();
  await control.changeDataset({ share: 1 });
}
