import { describe, expect, it } from '@jest/globals';
import { Samples } from '../../../../lambda/app/refresh/samples.ts';
import { encodeText } from '../../../../lambda/app/refresh/stored-prices.ts';
import { FakeStore, silent } from './refresh-fakes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z') / 1_000;
const DAY = 86_400;
const MINUTE = 60;
const LATER = Number.MAX_SAFE_INTEGER;

function setup() {
  const store = new FakeStore();
  const put = (n: number, prices: unknown) => store.put('SAMPLE', { n, data: encodeText(JSON.stringify({ prices })) });
  return { store, put, samples: new Samples(store, silent) };
}

describe('the price at the start of a window', () => {
  it('is that of the newest sample before the start, for each window', async () => {
    const { put, samples } = setup();
    for (const days of [1, 7, 30]) {
      await put(NOW - days * DAY - 20 * MINUTE, { a: 0.1 });
      await put(NOW - days * DAY - 5 * MINUTE, { a: days / 100 });
      await put(NOW - days * DAY + 5 * MINUTE, { a: 0.9 });
    }
    await samples.load(NOW * 1_000, LATER);
    expect(samples.startPrice('a', 'oneDay', NOW * 1_000)?.price).toBe(0.01);
    expect(samples.startPrice('a', 'sevenDay', NOW * 1_000)?.price).toBe(0.07);
    expect(samples.startPrice('a', 'thirtyDay', NOW * 1_000)?.price).toBe(0.3);
    expect(samples.startPrice('b', 'oneDay', NOW * 1_000)).toBeUndefined();
  });

  it.each([
    [0, 0.4],
    [30 * MINUTE, 0.4],
    [30 * MINUTE + 1, undefined],
    [-1, undefined],
  ])('with a sample %i s before it is %s', async (age, expected) => {
    const { put, samples } = setup();
    await put(NOW - DAY - age, { a: 0.4 });
    await samples.load(NOW * 1_000, LATER);
    expect(samples.startPrice('a', 'oneDay', NOW * 1_000)).toEqual(expected && { price: expected, ageMs: age * 1_000 });
  });

  it('is unknown when the run takes so long that the sample becomes too old', async () => {
    const { put, samples } = setup();
    await put(NOW - DAY - 29 * MINUTE, { a: 0.4 });
    await samples.load(NOW * 1_000, LATER);
    expect(samples.startPrice('a', 'oneDay', (NOW + 30) * 1_000)?.price).toBe(0.4);
    expect(samples.startPrice('a', 'oneDay', (NOW + 90) * 1_000)).toBeUndefined();
  });

  it('stays known while the table does not respond', async () => {
    const { store, put, samples } = setup();
    await put(NOW - DAY, { a: 0.4 });
    await samples.load(NOW * 1_000, LATER);
    store.broken = true;
    await samples.load((NOW + MINUTE) * 1_000, LATER);
    expect(samples.startPrice('a', 'oneDay', (NOW + MINUTE) * 1_000)?.price).toBe(0.4);
  });

  it.each([
    ['bytes that are not compressed', Buffer.from('{}')],
    ['JSON of another form', encodeText('[1, 2]')],
    ['nothing', new Uint8Array()],
  ])('is unknown when the sample holds %s', async (_what, data) => {
    const { store, samples } = setup();
    await store.put('SAMPLE', { n: NOW - DAY, data });
    await samples.load(NOW * 1_000, LATER);
    expect(samples.startPrice('a', 'oneDay', NOW * 1_000)).toBeUndefined();
  });

  it('is unknown for a value that is not a price', async () => {
    const { put, samples } = setup();
    await put(NOW - DAY, { a: -0.1, b: 1.1, c: '0.5', d: {}, e: 0, f: 1 });
    await samples.load(NOW * 1_000, LATER);
    const known = [...'abcdef'].filter((key) => samples.startPrice(key, 'oneDay', NOW * 1_000) !== undefined);
    expect(known).toEqual(['e', 'f']);
  });
});

describe('a market that was listed without a midpoint', () => {
  it('has a start that is unknown for certain', async () => {
    const { samples, store } = setup();
    await samples.save((NOW - DAY) * 1_000, new Map([['a', null]]), LATER);
    const other = new Samples(store, silent);
    await other.load(NOW * 1_000, LATER);
    expect(other.startPrice('a', 'oneDay', NOW * 1_000)).toBeNull();
    expect(other.startPrice('b', 'oneDay', NOW * 1_000)).toBeUndefined();
  });
});

describe('saving samples', () => {
  const prices = new Map([['a', 0.4]]);

  it('stores one every ten minutes, whichever container runs', async () => {
    const { store, samples } = setup();
    const containers = [samples, new Samples(store, silent)];
    for (let run = 0; run <= 10; run++) {
      await containers[run % 2]?.save((NOW + 2 * run * MINUTE) * 1_000 + 500, prices, LATER);
    }
    const times = store.items.get('SAMPLE')?.map(({ n }) => n - NOW);
    expect(times).toEqual([0, 600, 1_200]);
  });

  it.each([
    [569, 1],
    [570, 2],
  ])('stores the next one after %i s: %i', async (seconds, count) => {
    const { store, samples } = setup();
    await samples.save(NOW * 1_000, prices, LATER);
    await samples.save((NOW + seconds) * 1_000, prices, LATER);
    expect(store.items.get('SAMPLE')).toHaveLength(count);
  });

  it('does not throw when the table does not respond, and tries again in the next run', async () => {
    const { store, samples } = setup();
    store.broken = true;
    await samples.save(NOW * 1_000, prices, LATER);
    store.broken = false;
    await samples.save((NOW + 120) * 1_000, prices, LATER);
    expect(store.items.get('SAMPLE')).toHaveLength(1);
  });
});
