/** Keeps this process within the limits of upstream, Polymarket's APIs. */
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
 * The calls of this process to one route. Two limits hold: how many calls begin in 10 s, and how
 * many are under way at the same time. Other calls wait. The call with the earliest deadline goes
 * first, so that no caller waits behind a refresh.
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
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const waitMs = Math.max(this.#pausedUntil - now, this.#rateMs(now));
      const isTooLate = now + waitMs >= first.deadline;
      const isFull = this.#underWay >= this.#limits.concurrency;
      if (isTooLate) {
        first.refuse(this.#refusal(now, waitMs));
      } else if (waitMs > 0 || isFull) {
        // A call that ends makes room. If none ends in time, the first one is refused.
        const lookAgainMs = waitMs > 0 ? waitMs : first.deadline - now;
        this.#cancelTimer = this.#clock.after(lookAgainMs, () => this.#beginCalls());
        return;
      } else {
        this.#begin(first, now);
      }
      this.#waiting.shift();
    }
  }

  #begin(call: WaitingCall, now: UnixMs): void {
    this.#underWay += 1;
    if (this.#begun.push(now) > this.#limits.callsPer10Seconds) this.#begun.shift();
    call.begin();
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

/** All queues of this process. Tests have their own clocks, and therefore their own queues. */
const queues = new WeakMap<Clock, Map<string, CallQueue>>();

/**
 * Returns the queue that all clients of an address share in this process. The local server runs the
 * refresh and the live endpoints, and upstream's limits count both.
 */
export function sharedQueue(
  address: string,
  route: UpstreamRouteName,
  limits: UpstreamRoute,
  clock: Clock,
): CallQueue {
  const key = `${address} ${route}`;
  const ofClock = queues.get(clock) ?? new Map<string, CallQueue>();
  const queue = ofClock.get(key) ?? new CallQueue(route, limits, clock);
  queues.set(clock, ofClock.set(key, queue));
  return queue;
}
