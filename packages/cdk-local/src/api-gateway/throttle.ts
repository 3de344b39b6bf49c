/** Average requests per second and the most at once, as usage plans and stages state them. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** Holds up to `burstLimit` tokens and gains `rateLimit` of them a second; a request takes one. */
export class TokenBucket {
  readonly #throttle: Throttle;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  constructor(throttle: Throttle, now: () => number) {
    this.#throttle = throttle;
    this.#now = now;
    this.#tokens = throttle.burstLimit;
    this.#filledAt = now();
  }

  /** Whether a token is there. Nothing is taken. */
  get allows(): boolean {
    const { rateLimit, burstLimit } = this.#throttle;
    const now = this.#now();
    const seconds = Math.max(0, now - this.#filledAt) / 1_000;
    this.#tokens = Math.min(burstLimit, this.#tokens + seconds * rateLimit);
    this.#filledAt = now;
    return this.#tokens >= 1;
  }

  take(): void {
    this.#tokens -= 1;
  }
}

/** The buckets of everything that is throttled apart, made when first used. */
export class TokenBuckets {
  readonly #now: () => number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param name of what is counted together */
  bucket(name: string, throttle: Throttle): TokenBucket {
    const bucket = this.#buckets.get(name) ?? new TokenBucket(throttle, this.#now);
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
