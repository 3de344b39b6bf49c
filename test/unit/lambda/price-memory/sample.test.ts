import { describe, expect, it } from '@jest/globals';
import { priceKey } from '../../../../lambda/price-memory/price-key.ts';
import {
  decodeRoster,
  decodeSample,
  encodeRoster,
  encodeSample,
  strangers,
} from '../../../../lambda/price-memory/sample.ts';

const TOKENS = Array.from({ length: 2_000 }, (_, n) => String(10n ** 76n + BigInt(n) * 7n));
const prices = new Map(TOKENS.map((token, n) => [priceKey(token), (n % 20_001) / 20_000]));
const roster = decodeRoster('r', encodeRoster(Float64Array.from(prices.keys()).sort()));

describe('a sample of all prices', () => {
  it('gives back each price to half of the finest tick', () => {
    const sample = decodeSample(5, roster, encodeSample(roster, prices));
    expect(sample.at).toBe(5);
    for (const [key, price] of prices) expect(sample.price(key)).toBe(price);
  });

  it('holds markets that its roster does not have, and lacks those without a price', () => {
    const some = new Map([...prices].filter((_, n) => n % 3 !== 0));
    some.set(priceKey('1'), 0.12345);
    expect(strangers(roster, some)).toBe(1);
    const sample = decodeSample(5, roster, encodeSample(roster, some));
    expect(sample.price(priceKey('1'))).toBe(0.12345);
    expect(sample.price(priceKey(TOKENS[0] ?? ''))).toBeUndefined();
    expect(sample.price(priceKey(TOKENS[1] ?? ''))).toBe(0.00005);
    expect(sample.price(priceKey('2'))).toBeUndefined();
  });

  it('is refused where it is not whole, or not of this roster', () => {
    const data = encodeSample(roster, prices);
    expect(() => decodeSample(5, roster, data.subarray(1))).toThrow('checksum');
    const other = decodeRoster('s', encodeRoster(Float64Array.from([1, 2, 3])));
    expect(() => decodeSample(5, other, data)).toThrow('not one of this roster');
  });

  it('takes about two bytes a market', () => {
    const { length } = encodeSample(roster, prices);
    process.stdout.write(
      `A sample of 2,000 markets: ${length} bytes; their roster: ${encodeRoster(roster.keys).length}\n`,
    );
    expect(length).toBeLessThan(4_200);
  });
});
