import type { Timing } from './timing.ts';

const WINDOW_MS = 60_000;

/**
 * The client's own count of requests, so that it waits instead of being refused: never more than `limit` in any 60 s.
 * What the service says of the rest (`RateLimit`) counts too, since other programs behind the same address use it up.
 */
export class Budget {
  readonly #limit: number;
  readonly #timing: Timing;
  /** When requests went out, oldest first. */
  #sent: number[] = [];
  #blockedUntil = 0;

  constructor(limit: number, timing: Timing) {
    this.#limit = limit;
    this.#timing = timing;
  }

  /** Requests that may go out now. */
  get left(): number {
    const now = this.#timing.now();
    this.#sent = this.#sent.filter((moment) => moment > now - WINDOW_MS);
    return now < this.#blockedUntil ? 0 : Math.max(0, this.#limit - this.#sent.length);
  }

  /** Waits for a place and takes it. @throws the signal's reason */
  async take(signal?: AbortSignal): Promise<void> {
    while (this.left < 1) {
      const now = this.#timing.now();
      const free = (this.#sent[0] ?? now) + WINDOW_MS;
      await this.#timing.sleep(
        Math.max(1, this.#blockedUntil > now ? this.#blockedUntil - now : free - now),
        signal,
      );
    }
    this.#sent.push(this.#timing.now());
  }

  /** Nothing may go out for so long. */
  block(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#timing.now() + ms);
  }

  /** Heeds `RateLimit: "per-ip";r=<left>;t=<seconds>`. @returns what the service says is left */
  heed(header: string | null): number | undefined {
    const [, left, seconds] = /;\s*r=(\d+)\s*;\s*t=(\d+)/.exec(header ?? '') ?? [];
    if (left === undefined || seconds === undefined) return undefined;
    if (left === '0') this.block(Number(seconds) * 1_000);
    return Number(left);
  }
}
