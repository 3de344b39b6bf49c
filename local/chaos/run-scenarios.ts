import type { ChaosControl } from './control-client.ts';
import type { ChaosStep } from './scenarios.ts';

/** Of an interval: a run that is on time has ended by then, and what it did is told at its end. */
const LOOK_AFTER = 1.25;

/** What the play needs of the running service. */
export interface ChaosStage {
  readonly control: ChaosControl;
  /** Tells the person at the terminal. */
  readonly tell: (text: string) => void;
  /** What the service says now, as a sentence. */
  readonly look: () => Promise<string>;
  /** Ends when so many runs have ended that began from now on. */
  readonly runs: (count: number) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
  /** What the readers' containers know may be so old; then they look again. */
  readonly lookMs: number;
  /** Time between two runs, and the age after which nothing is served. */
  readonly refreshMs: number;
  readonly limitMs: number;
}

/**
 * Plays the script: each step is announced, its faults are set, and at its end, and now and then in a long one, the
 * service is asked how it is. At the end nothing is wrong any more.
 */
export async function play(script: readonly ChaosStep[], stage: ChaosStage): Promise<void> {
  const { control, tell } = stage;
  tell(`CHAOS begins: ${script.length} steps, a refresh every ${stage.refreshMs / 1_000} s.`);
  try {
    for (const [index, step] of script.entries()) {
      const number = `CHAOS ${index + 1}/${script.length}`;
      tell(`${number}: ${step.title} Expect: ${step.expect}`);
      for (const fault of step.faults) await control.setFault(fault);
      if (step.universe !== undefined) await control.setUniverse(step.universe);
      await watch(step, number, stage);
      await clear(control);
    }
  } finally {
    await clear(control);
  }
  tell('CHAOS is over: all faults are cleared. The service keeps running.');
}

async function watch(step: ChaosStep, number: string, stage: ChaosStage): Promise<void> {
  let over = false;
  const ended = lengthOf(step, stage).then(() => {
    over = true;
  });
  const look = async () => stage.tell(`${number}: ${await stage.look()}`);
  for (;;) {
    await Promise.race([ended, stage.sleep(stage.refreshMs * LOOK_AFTER)]);
    if (over) break;
    await look();
  }
  await stage.sleep(stage.lookMs);
  await look();
}

/** Data that was new at the beginning is too old one interval after its limit. */
function lengthOf(step: ChaosStep, { runs, sleep, refreshMs, limitMs }: ChaosStage): Promise<void> {
  return step.untilStale ? sleep(limitMs + refreshMs) : runs(step.refreshes);
}

async function clear(control: ChaosControl): Promise<void> {
  await control.clearFaults();
  await control.setUniverse({ share: 1 });
}
