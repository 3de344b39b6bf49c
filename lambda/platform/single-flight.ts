import type { Clock } from './clock.ts';

export interface SingleFlightOptions {
  readonly clock: Clock;
  /**
   * A load that began longer ago is not joined but started anew, ms. A container may have been frozen in the middle of
   * it: what it brings in the end is as old as its beginning.
   */
  readonly joinableMs: number;
}

interface Load<V> {
  readonly result: Promise<V>;
  readonly startedAt: number;
}

/** Loads of which at most one is under way for each key: whoever asks meanwhile shares it, success or failure. */
export class SingleFlight<V> {
  readonly #loads = new Map<string, Load<V>>();
  readonly #options: SingleFlightOptions | undefined;

  /** @param options without them a load may be joined for as long as it takes */
  constructor(options?: SingleFlightOptions) {
    this.#options = options;
  }

  /** @throws whatever `load` throws, to all who share it; the next call loads again */
  run(key: string, load: () => Promise<V>): Promise<V> {
    const pending = this.#loads.get(key);
    return pending && this.#isJoinable(pending) ? pending.result : this.#start(key, load);
  }

  #isJoinable({ startedAt }: Load<V>): boolean {
    if (!this.#options) return true;
    const { clock, joinableMs } = this.#options;
    const age = clock.now() - startedAt;
    return age >= 0 && age < joinableMs;
  }

  #start(key: string, load: () => Promise<V>): Promise<V> {
    const started: Load<V> = {
      startedAt: this.#options?.clock.now() ?? 0,
      result: load().finally(() => {
        if (this.#loads.get(key) === started) this.#loads.delete(key);
      }),
    };
    this.#loads.set(key, started);
    return started.result;
  }
}
