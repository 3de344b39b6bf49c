/**
 * Random numbers from seeds, in place of `Math.random`: the same seed gives the same universe and
 * the same responses.
 */

const { imul, floor } = Math;

/** Hashes two numbers into 32 bits, with the last step of MurmurHash3. */
export function mix(a: number, b: number): number {
  let h = imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ imul((b + 0x7f4a7c15) | 0, 0xc2b2ae35);
  h ^= h >>> 16;
  h = imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A 32-bit hash as a number from 0 to just below 1. */
export function unit(hash: number): number {
  return hash / 2 ** 32;
}

/** The 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h, text.length);
}

/** Random hex digits: eight for each word. */
export function hexWords(key: number, words: number): string {
  return Array.from({ length: words }, (_, i) => mix(key, i).toString(16).padStart(8, '0')).join(
    '',
  );
}

/** Smooth noise from -1 to 1: random values at whole numbers, and a smooth curve between them. */
export function noise(key: number, x: number): number {
  const cell = floor(x);
  const part = x - cell;
  const before = unit(mix(key, cell | 0));
  const after = unit(mix(key, (cell + 1) | 0));
  // 3x² − 2x³ begins and ends slowly.
  return 2 * (before + (after - before) * part * part * (3 - 2 * part)) - 1;
}

/** A series of random choices for one purpose. The same key and purpose give the same choices. */
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
