import { hash } from 'node:crypto';

/** 48 bits: among 50,000 markets two share a key with a probability of one in 200,000, and a key is exact as a number. */
const HEX_DIGITS = 12;
/** Tokens whose keys are remembered: several times as many as there are markets. */
const MOST_HELD = 250_000;

const known = new Map<string, number>();

/** What stands for a token in the price memory, where its 78 digits would weigh forty times as much as its price. */
export function priceKey(token: string): number {
  let key = known.get(token);
  if (key === undefined) {
    key = Number.parseInt(hash('sha256', token, 'hex').slice(0, HEX_DIGITS), 16);
    if (known.size >= MOST_HELD) known.clear();
    known.set(token, key);
  }
  return key;
}
