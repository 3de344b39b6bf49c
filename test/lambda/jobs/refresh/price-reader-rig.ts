import type { PreviousPrice } from '../../../../lambda/core/domain/price.ts';
import type { BookSides, LastTrade } from '../../../../lambda/core/domain/quote.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { PriceReader } from '../../../../lambda/jobs/refresh/price-reader.ts';
import { RejectedTokens } from '../../../../lambda/jobs/refresh/rejected-tokens.ts';
import { ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { bookAround } from './catalogue-markets.ts';

type Sides = ReadonlyMap<string, BookSides>;
type Version = 'v1' | 'v2';

/** The tokens "0", "1" and so on. */
export const tokens = (count: number) => Array.from({ length: count }, (_, n) => String(n));
export const market = (clobTokenId: string, protocolVersion: Version = 'v1') => ({
  clobTokenId,
  protocolVersion,
  volume: 1,
});
/** What the previous snapshot says of a price. */
export const previously = (fields: Partial<PreviousPrice>): PreviousPrice => ({
  currentProbability: 50,
  priceSource: 'book',
  bestBid: 0.4,
  pricedAt: 0,
  ...fields,
});

/** A response with all tokens, of which the first ones have a book. The other books are empty. */
export const withBooks = (batch: readonly string[], count = batch.length): Sides =>
  new Map(batch.map((token, n) => [token, n < count ? bookAround(0.5) : {}]));
/** Fails as a call does for a reason that says nothing about its tokens. */
export const fail = () => {
  throw new Error('down');
};
/** Fails as a call does that CLOB rejects because of one of its tokens. */
export const reject = () => {
  throw new UpstreamError({
    route: 'prices',
    failure: 'status',
    status: 400,
    excerpt: '{"error":"Invalid payload"}',
  });
};

/**
 * A reader of prices. For example, CLOB has books of all tokens but one:
 *
 *     const { read } = priceReaderRig((batch) => withBooks(batch, 2));
 *     const { sides } = await read(tokens(3));
 *     expect(sides.get('2')).toEqual({});
 *
 * @param respond what CLOB returns for a batch of tokens; calls are counted from 1
 */
export function priceReaderRig(respond: (batch: readonly string[], call: number) => Sides) {
  const clock = new ManualClock();
  const started = clock.now();
  const calls: (readonly string[])[] = [];
  const prices = {
    sides: async (batch: readonly string[], _deadline: number) => {
      calls.push(batch);
      return respond(batch, calls.length);
    },
    lastTrades: async (
      batch: readonly string[],
      _deadline: number,
    ): Promise<ReadonlyMap<string, LastTrade>> =>
      new Map(batch.map((token) => [token, { price: 0.3 }])),
  };
  const deps = { prices, clock, rejectedTokens: new RejectedTokens() };
  /**
   * Reads within a minute. `afterMs` is the time of the prices, `tookMs` that of the whole read.
   */
  const readMarkets = async (
    markets: readonly ReturnType<typeof market>[],
    {
      previous = new Map(),
      withinMs = 60_000,
    }: { previous?: ReadonlyMap<string, PreviousPrice>; withinMs?: number } = {},
  ) => {
    const reading = new PriceReader(deps).read(markets, previous, clock.now() + withinMs);
    const result = await whileTimePasses(clock, reading);
    return { ...result, afterMs: result.asOf - started, tookMs: clock.now() - started };
  };
  /** @param options `known`: the tokens that had a book before */
  const read = (
    all: readonly string[],
    { known = [], withinMs = 60_000 }: { known?: readonly string[]; withinMs?: number } = {},
  ) =>
    readMarkets(
      all.map((token) => market(token)),
      { previous: new Map(known.map((token) => [token, previously({})])), withinMs },
    );
  return {
    clock,
    prices,
    deps,
    calls,
    read,
    readMarkets,
    /** How many tokens each call had. */
    sizes: () => calls.map(({ length }) => length),
  };
}
