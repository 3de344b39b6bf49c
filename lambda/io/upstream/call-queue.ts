import type { UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamRoute, UpstreamRouteName } from './upstreams.ts';

/** Upstream's limits count the calls of the last 10 s. */
const RATE_PERIOD_MS = 10_000;

/** A call that has not begun. */
interface WaitingCall {
  readonly deadline: UnixMs;
  readonly begin: () => void;
  readonly refuse: (error: UpstreamError) => void;
}

/**
 * The limits of one route in this process: how many calls begin in 10 s, and how many are under
 * way. The earliest deadline goes first, so that no caller waits behind a refresh. A waiting call
 * takes no slot.
 */
export class CallQueue {
  readonly #route: UpstreamRouteName;
  readonly #limits: UpstreamRoute;
  readonly #clock: Clock;
  /** By deadline, then by arrival. */
  readonly #waiting: WaitingCall[] = [];
  /** The start times of the last calls, at most as many as 10 s allow. */
  #begun: number[] = [];
  #underWay = 0;
  #pausedUntil: UnixMs = 0;
  #cancelTimer: () => void = () => undefined;

  constructor(route: UpstreamRouteName, limits: UpstreamRoute, clock: Clock) {
    this.#route = route;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Does the work when the limits allow it.
   *
   * @throws UpstreamError `rate_limited` or `paused` if the call cannot begin before the deadline,
   * or what the work throws
   */
  async run<T>(deadline: UnixMs, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin, refuse) => {
      // Behind all calls with the same or an earlier deadline.
      const after = this.#waiting.findLastIndex((other) => other.deadline <= deadline);
      this.#waiting.splice(after + 1, 0, { deadline, begin, refuse });
      this.#beginCalls();
    });
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#beginCalls();
    }
  }

  /** Begins no call before this time, because upstream asked for a pause. */
  pauseUntil(time: UnixMs): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time);
  }

  /** Begins as many waiting calls as the limits allow, and refuses those that would be too late. */
  #beginCalls(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    for (;;) {
      const [first] = this.#waiting;
      if (!first) return;
      const waitMs = Math.max(this.#pausedUntil - now, this.#rateMs(now));
      if (now + waitMs >= first.deadline) {
        this.#waiting.shift();
        first.refuse(this.#refusal(now, waitMs));
        continue;
      }
      const isFull = this.#underWay >= this.#limits.concurrency;
      if (waitMs > 0 || isFull) {
        // A call that ends makes room. If none ends in time, the first one is refused.
        this.#lookAgainAfter(waitMs > 0 ? waitMs : first.deadline - now);
        return;
      }
      this.#waiting.shift();
      this.#underWay += 1;
      if (this.#begun.push(now) > this.#limits.callsPer10Seconds) this.#begun.shift();
      first.begin();
    }
  }

  #lookAgainAfter(ms: number): void {
    this.#cancelTimer = this.#clock.after(ms, () => this.#beginCalls());
  }

  /** Why a call cannot begin before its deadline. */
  #refusal(now: UnixMs, waitMs: number): UpstreamError {
    const failure = this.#pausedUntil > now ? 'paused' : 'rate_limited';
    const retryAfterMs = waitMs > 0 ? waitMs : undefined;
    return new UpstreamError({ route: this.#route, failure, retryAfterMs });
  }

  /** Milliseconds until the rate allows another call. */
  #rateMs(now: UnixMs): number {
    // If the clock was set back, these times are meaningless.
    if ((this.#begun.at(-1) ?? now) > now) this.#begun = [];
    if (this.#begun.length < this.#limits.callsPer10Seconds) return 0;
    return Math.max(0, (this.#begun[0] ?? 0) + RATE_PERIOD_MS - now);
  }
}

const queues = new WeakMap<Clock, Map<string, CallQueue>>();

/**
 * One queue for all clients of an address in this process. The local server runs the refresh and
 * the live endpoints, and upstream's limits count both.
 *
 * @param name the address
 */
export function callQueue(
  name: string,
  route: UpstreamRouteName,
  limits: UpstreamRoute,
  clock: Clock,
): CallQueue {
  const key = `${name} ${route}`;
  const ofClock = queues.get(clock) ?? new Map<string, CallQueue>();
  const queue = ofClock.get(key) ?? new CallQueue(route, limits, clock);
  queues.set(clock, ofClock.set(key, queue));
  return queue;
}
