import { currentProbability } from '../../../../lambda/domain/probability.ts';
import { readGammaMarket } from '../../../../lambda/polymarket/gamma-market.ts';

interface Page {
  readonly markets: readonly unknown[];
  readonly next_cursor?: string;
}

/** The prices that the catalogue itself gives, in percent by market id. Asked as the refresher asks: pages are cached by address. */
export async function cataloguePrices(upstreamUrl: string): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({
      limit: '100',
      order: 'volumeNum',
      ascending: 'false',
      closed: 'false',
      include_tag: 'true',
      ...(cursor === undefined ? {} : { after_cursor: cursor }),
    });
    const response = await fetch(`${upstreamUrl}/markets/keyset?${query}`, {
      headers: { 'user-agent': 'test/1' },
    });
    const page = (await response.json()) as Page;
    for (const record of page.markets.map(readGammaMarket)) {
      if (record.kind !== 'listable') continue;
      const price = currentProbability(record.market, undefined);
      if (price !== undefined) prices.set(record.market.id, price);
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return prices;
}
