import { describe, expect, it } from '@jest/globals';
import { decodeText, priceKey } from '../../../../lambda/io/snapshots/stored-prices.ts';
import { StartPrices } from '../../../../lambda/jobs/refresh/start-prices.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { FakeStore, silent } from './fake-store.ts';

// A market has a midpoint if its best bid and ask are close ("a tight book"). A run of the refresher
// stores a sample, the midpoints of all markets, for the price changes of later runs. It stores none
// if Polymarket may have returned wrong books.

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the sample of a run', () => {
  /** Ten markets that had a midpoint, 0.45, in the snapshot before. */
  const listed = testMarkets(10);
  const keys = listed.map(({ clobTokenId }) => priceKey(clobTokenId));

  /**
   * Saves the sample of a run, of whose five calls some failed. The first `lost` markets are not
   * tight any more, and the first `unread` were not read.
   *
   * @returns the stored prices by key, undefined if the run stored none
   */
  async function save({ failed = 0, lost = 0, unread = 0 }) {
    const store = new FakeStore();
    const markets = listed.map((one, n) =>
      n < lost ? testMarket(n, { midpoint: undefined }) : one,
    );
    const sides = new Map(listed.slice(unread).map(({ clobTokenId }) => [clobTokenId, {}]));
    const reading = { asOf: NOW, readUntil: NOW, sides, lastTrades: new Map(), calls: 5, failed };
    await new StartPrices(store, silent).saveSample(listed, markets, reading, NOW + 60_000);
    const [item] = store.items.get('SAMPLE') ?? [];
    return item && JSON.parse(decodeText(item.data)).prices;
  }

  it.each([
    { failed: 2, isStored: true },
    { failed: 3, isStored: false },
  ])('is stored if at most half of the calls fail: $failed of 5', async ({ failed, isStored }) => {
    expect((await save({ failed })) !== undefined).toBe(isStored);
  });

  it.each([
    { lost: 1, isStored: true },
    { lost: 2, isStored: false },
  ])(
    'is stored if at most a tenth of the markets lost their midpoint: $lost of 10',
    async ({ lost, isStored }) => {
      expect((await save({ lost })) !== undefined).toBe(isStored);
    },
  );

  it('has the midpoints', async () => {
    expect(await save({})).toEqual(Object.fromEntries(keys.map((key) => [key, 0.45])));
  });

  it('has null for a book that is not tight [sentence 15]', async () => {
    expect(await save({ lost: 1 })).toMatchObject({ [keys[0] ?? '']: null });
  });

  it('lacks a book that was not read', async () => {
    expect(Object.keys(await save({ unread: 1 }))).toEqual(keys.slice(1));
  });
});
