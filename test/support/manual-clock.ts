import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';

/**
 * A clock that moves only when a test advances it. Due timers call back in order. For example:
 *
 *     const clock = new ManualClock();
 *     const late = expect(read(clock)).rejects.toThrow('time-out');
 *     await clock.advance(4_000);
 *     await late;
 */
export class ManualClock implements Clock {
  #time: number;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(start = Date.parse('2026-11-21T12:00:00Z')) {
    this.#time = start;
  }

  now = (): number => this.#time;

  /** The number of timers that are neither due nor cancelled. */
  get timers(): number {
    return this.#timers.length;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#time + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets `ms` pass; between two callbacks everything that waits on a promise gets its turn. */
  async advance(ms: number): Promise<void> {
    const end = this.#time + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#time = Math.max(this.#time, next.at);
      next.callback();
    }
    this.#time = end;
    await settle();
  }
}

/** Lets time pass, in steps, until the work has ended. @returns its result */
export async function whileTimePasses<T>(
  clock: ManualClock,
  work: Promise<T>,
  stepMs = 100,
): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  while (!isOver) await clock.advance(stepMs);
  return await work;
}

/** Makes a slow form of a call: it begins after this many milliseconds. */
export function delayed<A extends unknown[], R>(
  clock: ManualClock,
  call: (...args: A) => Promise<R>,
  ms: number,
) {
  return async (...args: A): Promise<R> => {
    await sleep(clock, ms);
    return await call(...args);
  };
}

/** Runs what waits on promises and sockets. Five turns of the event loop have always sufficed. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
