/**
 * Seeded hashing. Everything generated is a function of (seed, index, purpose), never of call order, so that
 * market 41,237 is the same whether or not the 41,236 before it were ever looked at.
 */

// Bound once: where globals are looked up through a sandbox, as in jest, that alone makes this several times as fast.
const { imul, floor } = Math;
const TWO_32 = 2 ** 32;

/** Mixes two 32-bit integers into one, with the finaliser of MurmurHash3. */
export function mix(a: number, b: number): number {
  let h = imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ imul((b + 0x7f4a7c15) | 0, 0xc2b2ae35);
  h ^= h >>> 16;
  h = imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A 32-bit hash as a number in 0 (inclusive) to 1 (exclusive). */
export function unit(hash: number): number {
  return hash / TWO_32;
}

/** A string as a 32-bit hash (FNV-1a, then mixed). */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

/** `words` hashed 32-bit words in hexadecimal, 8 digits each. */
export function hexWords(key: number, words: number): string {
  let text = '';
  for (let i = 0; i < words; i++) text += mix(key, i).toString(16).padStart(8, '0');
  return text;
}

/** Smooth noise in -1..1: hashed values at whole numbers, eased in between. */
export function noise(key: number, x: number): number {
  const cell = floor(x);
  const f = x - cell;
  const before = unit(mix(key, cell | 0));
  const after = unit(mix(key, (cell + 1) | 0));
  return 2 * (before + (after - before) * f * f * (3 - 2 * f)) - 1;
}

/** A small deterministic stream of choices for one purpose of one item. */
export class Draw {
  readonly #key: number;
  #count = 0;

  constructor(key: number, purpose: string) {
    this.#key = mix(key, hashText(purpose));
  }

  /** 0 (inclusive) to 1 (exclusive). */
  next(): number {
    return unit(mix(this.#key, this.#count++));
  }

  /** A whole number from `min` to `max`, both inclusive. */
  whole(min: number, max: number): number {
    return min + floor(this.next() * (max - min + 1));
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[floor(this.next() * list.length)] ?? list[0];
  }
}
