/** Seeded hashing: the same seed gives the same universe and responses. */

const { imul, floor } = Math;

/** The finaliser of MurmurHash3. */
export function mix(a: number, b: number): number {
  let h = imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ imul((b + 0x7f4a7c15) | 0, 0xc2b2ae35);
  h ^= h >>> 16;
  h = imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** From 0 to just below 1. */
export function unit(hash: number): number {
  return hash / 2 ** 32;
}

export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

/** `words` × 8 hex digits. */
export function hexWords(key: number, words: number): string {
  return Array.from({ length: words }, (_, i) => mix(key, i).toString(16).padStart(8, '0')).join(
    '',
  );
}

/** Smooth, from -1 to 1: hashed values at whole numbers, eased in between. */
export function noise(key: number, x: number): number {
  const cell = floor(x);
  const f = x - cell;
  const before = unit(mix(key, cell | 0));
  const after = unit(mix(key, (cell + 1) | 0));
  return 2 * (before + (after - before) * f * f * (3 - 2 * f)) - 1;
}

/** Deterministic choices for one purpose. */
export class Draw {
  readonly #key: number;
  #count = 0;

  constructor(key: number, purpose: string) {
    this.#key = mix(key, hashText(purpose));
  }

  /** From 0 to just below 1. */
  next(): number {
    return unit(mix(this.#key, this.#count++));
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  /** From `min` to `max`, both included. */
  whole(min: number, max: number): number {
    return min + floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[floor(this.next() * list.length)] ?? list[0];
  }
}
