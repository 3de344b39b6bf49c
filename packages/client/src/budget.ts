import { MAX_WAIT_MS, type Timing } from './timing.ts';

const WINDOW_MS = 60_000;

/** At most `limit` requests in any 60 s, and fewer if other programs share the address. */
export class Budget {
  readonly #limit: number;
  readonly #timing: Timing;
  /** Last 60 s, oldest first. */
  #sent: number[] = [];
  #blockedUntil = 0;

  constructor(limit: number, timing: Timing) {
    this.#limit = limit;
    this.#timing = timing;
  }

  get left(): number {
    const now = this.#timing.now();
    this.#sent = this.#sent.filter((time) => time > now - WINDOW_MS);
    return now < this.#blockedUntil ? 0 : Math.max(0, this.#limit - this.#sent.length);
  }

  /** Waits until a request is allowed. @throws the signal's reason, or RangeError if none is ever allowed */
  async take(signal?: AbortSignal): Promise<void> {
    if (!(this.#limit >= 1)) throw new RangeError('requestsPerMinute must be at least 1');
    while (this.left < 1) {
      const now = this.#timing.now();
      const until = this.#blockedUntil > now ? this.#blockedUntil : (this.#sent[0] ?? now) + WINDOW_MS;
      await this.#timing.sleep(Math.max(1, until - now), signal);
    }
    this.#sent.push(this.#timing.now());
  }

  /** At most two minutes. */
  block(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#timing.now() + Math.min(ms, MAX_WAIT_MS));
  }

  /** Blocks if `RateLimit: "per-ip";r=<left>;t=<seconds>` has no request left. */
  observe(header: string | null): void {
    const [, left, seconds] = /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(header ?? '') ?? [];
    if (left === '0') this.block(Number(seconds) * 1_000);
  }
}
