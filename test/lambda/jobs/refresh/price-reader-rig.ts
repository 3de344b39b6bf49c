import type { PreviousPrice } from '../../../../lambda/core/domain/price.ts';
import type { BookSides, LastTrade } from '../../../../lambda/core/domain/quote.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { PriceReader } from '../../../../lambda/jobs/refresh/price-reader.ts';
import { RejectedTokens } from '../../../../lambda/jobs/refresh/rejected-tokens.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { bookAround } from './catalogue-markets.ts';

type Batch = readonly string[];
type Sides = ReadonlyMap<string, BookSides>;
type ReadMarket = ReturnType<typeof market>;
interface ReadOptions {
  /** The prices of the snapshot before, by token. */
  readonly previous?: ReadonlyMap<string, PreviousPrice>;
  readonly withinMs?: number;
}

/**
 * A reader of prices, which asks CLOB for the best bid and ask ("the sides") of tokens. For example,
 * CLOB has books of all tokens but one:
 *
 *     const { readTokens } = priceReaderRig((batch) => withBooks(batch, 2));
 *     const { sides } = await readTokens(tokens(3));
 *     expect(sides.get('2')).toEqual({});
 *
 * @param respond what CLOB returns for the tokens of a call; calls are counted from 1
 */
export function priceReaderRig(respond: (batch: Batch, call: number) => Sides) {
  const clock = new ManualClock();
  const started = clock.now();
  /** The tokens of each call for sides. */
  const calls: Batch[] = [];
  const rejectedTokens = new RejectedTokens();
  const prices = {
    sides: async (batch: Batch, _deadline: number) => {
      calls.push(batch);
      return respond(batch, calls.length);
    },
    lastTrades: async (batch: Batch, _deadline: number): Promise<ReadonlyMap<string, LastTrade>> =>
      new Map(batch.map((token) => [token, { price: 0.3 }])),
  };
  /** @returns also `afterMs`, the time of the prices, and `tookMs`, that of the whole read */
  const readMarkets = async (
    markets: readonly ReadMarket[],
    { previous = new Map(), withinMs = 60_000 }: ReadOptions = {},
  ) => {
    const reader = new PriceReader({ prices, clock, rejectedTokens });
    const reading = reader.read(markets, previous, clock.now() + withinMs);
    const result = await whileTimePasses(clock, reading);
    return { ...result, afterMs: result.asOf - started, tookMs: clock.now() - started };
  };
  const readTokens = (all: Batch, options?: ReadOptions) =>
    readMarkets(
      all.map((token) => market(token)),
      options,
    );
  /** How many tokens each call had. */
  const sizes = () => calls.map(({ length }) => length);
  return { clock, prices, rejectedTokens, calls, sizes, readMarkets, readTokens };
}

/** The tokens "0", "1" and so on. */
export const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));

export const market = (clobTokenId: string, protocolVersion: 'v1' | 'v2' = 'v1') => ({
  clobTokenId,
  protocolVersion,
  volume: 1,
});

/** What the snapshot before says of these tokens: each had a price from this source. */
export const previousPrices = (
  batch: Batch,
  priceSource: PreviousPrice['priceSource'] = 'book',
): ReadonlyMap<string, PreviousPrice> => {
  const price = { currentProbability: 50, priceSource, bestBid: 0.4, pricedAt: 0 };
  return new Map(batch.map((token) => [token, price]));
};

/** A response with all tokens, of which the first ones have a book. The other books are empty. */
export const withBooks = (batch: Batch, count = batch.length): Sides =>
  new Map(batch.map((token, n) => [token, n < count ? bookAround(0.5) : {}]));

/** Fails as a call does for a reason that says nothing about its tokens. */
export const fail = () => {
  throw new Error('down');
};

/** Fails as a call does that CLOB rejects because of one of its tokens. */
export const reject = () => {
  const excerpt = '{"error":"Invalid payload"}';
  throw new UpstreamError({ route: 'prices', failure: 'status', status: 400, excerpt });
};
