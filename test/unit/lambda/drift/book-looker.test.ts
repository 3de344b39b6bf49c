import { expect, it } from '@jest/globals';
import { BookLooker } from '../../../../lambda/drift/book-looker.ts';
import { Sightings } from '../../../../lambda/drift/sightings.ts';
import { Upstream } from '../../../../lambda/http-client/client.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const MARKET = catalogueMarket(1);

function rig(respond: () => Response) {
  const asked: string[] = [];
  const sightings = new Sightings();
  const upstream = new Upstream({
    baseUrl: 'http://clob.invalid',
    fetch: async (url: string | URL | Request) => {
      asked.push(String(url));
      return respond();
    },
    clock: new ManualClock(),
    random: () => 0,
    timeoutMs: 1_000,
    concurrency: 1,
  });
  const looker = new BookLooker(upstream, sightings);
  /** A run, with the catalogue or for the prices alone; then what it saw of books. */
  const run = async (catalogue: boolean, markets = [MARKET]) => {
    if (catalogue) {
      const records = markets.map((market) => ({ kind: 'listable', id: market.id, market }) as const);
      sightings.sawPage(new URLSearchParams(), { markets: [] }, records);
    }
    await looker.look();
    return sightings.take()?.shapes.book;
  };
  return { asked, run };
}

it('looks at a book in every run that reads the catalogue, and in no other', async () => {
  const { asked, run } = rig(() => Response.json({ bids: [], asks: [], tick_size: '0.01' }));
  expect((await run(true))?.keys).toMatchObject({ bids: { list: 1 }, tick_size: { string: 1 } });
  expect(await run(false)).toBeUndefined();
  expect((await run(true))?.objects).toBe(1);
  const url = `http://clob.invalid/book?token_id=${MARKET.yesTokenId}`;
  expect(asked).toEqual([url, url]);
});

it('prefers a market of v1, whichever comes first: books of V2 look otherwise', async () => {
  const v2 = catalogueMarket(2, { protocolVersion: 'v2' });
  const { asked, run } = rig(() => Response.json({ bids: [], asks: [] }));
  await run(true, [v2, MARKET]);
  await run(true, [MARKET, v2]);
  await run(true, [v2]);
  const tokens = asked.map((url) => new URL(url).searchParams.get('token_id'));
  expect(tokens).toEqual([MARKET.yesTokenId, MARKET.yesTokenId, v2.yesTokenId]);
});

it('bears a book that cannot be had', async () => {
  const { run } = rig(() => new Response('no', { status: 500 }));
  expect(await run(true)).toBeUndefined();
});
