import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ServiceMetrics } from '../platform/telemetry.ts';
import { compare } from './compare.ts';
import type { Observation } from './observation.ts';
import type { UpstreamMemory, UpstreamMemoryStore } from './ports.ts';

export interface DriftRadarOptions {
  readonly store: UpstreamMemoryStore;
  readonly logger: Pick<Log, 'warn'>;
  readonly metrics: Pick<ServiceMetrics, 'add' | 'flush'>;
  readonly clock: Clock;
}

/**
 * Notices when the upstream is not what it was (docs/adr/0016-drift-radar.md): compares what a run saw with what the runs
 * before it saw, and tells each change once. It never fails a run.
 */
export class DriftRadar {
  readonly #options: DriftRadarOptions;
  #memory: UpstreamMemory | undefined;

  constructor(options: DriftRadarOptions) {
    this.#options = options;
  }

  async endOfRun(seen: Observation | undefined): Promise<void> {
    if (!seen) return;
    const { store, logger, metrics, clock } = this.#options;
    try {
      this.#memory ??= await store.read();
      const { changes, known } = compare(this.#memory?.known, seen);
      const newest = changes.at(-1);
      for (const { what, before, after } of changes) {
        logger.warn('The upstream has changed', { what, before, after });
      }
      if (changes.length > 0) {
        metrics.add('DriftDetected', changes.length);
        metrics.flush();
      }
      if (known === this.#memory?.known) return;
      const memory: UpstreamMemory = {
        ...this.#memory,
        known,
        ...(newest ? { lastChange: { at: new Date(clock.now()).toISOString(), ...newest } } : {}),
      };
      await store.write(memory);
      this.#memory = memory;
    } catch (error) {
      logger.warn('What is known of the upstream cannot be read or written', { error: error as Error });
    }
  }
}
