/** Seeded random numbers: the same in every run of a test. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** 0 up to, not including, 1 (mulberry32). */
  readonly random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  between(low: number, high: number): number {
    return low + this.random() * (high - low);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.random() * from.length)] ?? from[0];
  }
}
