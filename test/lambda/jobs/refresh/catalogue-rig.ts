import type { CatalogueMarket, Market } from '../../../../lambda/core/domain/market.ts';
import { readCatalogue } from '../../../../lambda/jobs/refresh/catalogue.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { RefreshWorld } from './refresh-rig.ts';

/**
 * A reader of a catalogue with these markets, 100 a page. The stage lists at most `maxMarkets` of
 * them. For example:
 *
 *     const { read } = catalogueRig(catalogueMarkets(250));
 *     expect((await read()).markets).toHaveLength(250);
 */
export function catalogueRig(
  markets: readonly CatalogueMarket[],
  { maxMarkets = 2_000 }: { readonly maxMarkets?: number } = {},
) {
  const world = new RefreshWorld(new ManualClock());
  world.markets = markets;
  const reader = world.container(maxMarkets);
  /** Reads in bands if there is a previous snapshot, otherwise page after page. */
  const read = (previous: readonly Market[] = []) =>
    readCatalogue(reader, previous, world.clock.now() + 60_000);
  /** How many pages were read. */
  const pages = () => world.calls.filter((call) => call === 'page').length;
  return { world, read, pages };
}
