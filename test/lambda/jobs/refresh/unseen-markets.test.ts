import { describe, expect, it } from '@jest/globals';
import type { CatalogueRecord, Market } from '../../../../lambda/core/domain/market.ts';
import { testMarket, testMarkets } from '../../../support/markets.ts';
import { catalogueMarket, catalogueMarkets, listable } from './catalogue-markets.ts';
import { catalogueRig } from './catalogue-rig.ts';

// A full run reads the pages of the catalogue while markets move between them, so the pages can
// lack an open market. The run requests the markets of the previous snapshot that no page showed by
// their ids.

/** The numbers of test markets. The id of market `n` is `n + 1` in hexadecimal. */
const numbersOf = (ids: readonly string[]) => ids.map((id) => Number(id) - 1);

/**
 * Reads a catalogue that shows the markets 0 to 29. The route by id makes this response, a minute
 * before it arrives.
 */
async function readWith(previous: readonly Market[], response: readonly CatalogueRecord[] | Error) {
  const { world, read } = catalogueRig(catalogueMarkets(30));
  const requested: number[][] = [];
  const timeouts: number[] = [];
  world.recordsByIds = async (ids, deadline) => {
    requested.push(numbersOf(ids));
    timeouts.push(deadline - world.clock.now());
    if (response instanceof Error) throw response;
    return { records: [...response], madeAt: world.clock.now() - 60_000 };
  };
  const { markets, unconfirmed, ...result } = await read(previous);
  return {
    ...result,
    requested,
    timeouts,
    listed: numbersOf(markets.map(({ id }) => id)),
    unconfirmed: numbersOf(unconfirmed.map(({ id }) => id)),
  };
}

describe('markets of the previous snapshot that no page showed', () => {
  it('are requested by their ids, and listed when they are open', async () => {
    const previous = [...testMarkets(30), testMarket(40), testMarket(41)];
    const found = await readWith(previous, [listable(catalogueMarket(40))]);
    expect(found.requested).toEqual([[40, 41]]);
    expect(found.listed).toEqual([...Array(30).keys(), 40]);
    expect(found.unconfirmed).toEqual([41]);
    expect(found.counts).toMatchObject({ notSeen: 2, unconfirmed: 1, listable: 31 });
  });

  it('are requested by one call for each protocol version', async () => {
    const previous = [testMarket(40), testMarket(41, { protocolVersion: 'v2' })];
    const { requested } = await readWith(previous, []);
    expect(requested).toEqual([[40], [41]]);
  });

  it('are requested 40 ids a call, in at most 20 calls', async () => {
    const { requested, unconfirmed } = await readWith(testMarkets(1_000).slice(100), []);
    expect(requested.map(({ length }) => length)).toEqual(Array(20).fill(40));
    expect(unconfirmed).toHaveLength(900);
  });

  it('date the prices of the catalogue by the oldest response', async () => {
    const found = await readWith([testMarket(40)], [listable(catalogueMarket(40))]);
    expect(found.asOf - found.cataloguePricesAsOf).toBe(60_000);
  });

  it('may delay the run by 10 s', async () => {
    const { timeouts } = await readWith([testMarket(40)], []);
    expect(timeouts).toEqual([10_000]);
  });

  it.each<[string, readonly CatalogueRecord[] | Error]>([
    ['fails', new Error('down')],
    ['is empty, as for ids that are not understood', []],
    [
      'holds markets that were not requested',
      [listable(catalogueMarket(40)), listable(catalogueMarket(7))],
    ],
    ['holds a record without an id', [listable(catalogueMarket(40)), { kind: 'inactive' }]],
  ])('stay unconfirmed when the response %s', async (_what, response) => {
    const { listed, unconfirmed } = await readWith([testMarket(40), testMarket(41)], response);
    expect(unconfirmed).toEqual([40, 41]);
    expect(listed).toEqual([...Array(30).keys()]);
  });
});
