import { liveRead } from '../../lambda/polymarket/live-read.ts';
import { OrderBooks } from '../../lambda/polymarket/order-books.ts';
import { PriceHistories } from '../../lambda/polymarket/price-histories.ts';
import { upstreamRig } from './upstream-rig.ts';

/** What the live endpoints depend on, over a stub of upstream. */
export function liveRig(baseUrl: string) {
  const { clock, warnings, upstream } = upstreamRig(baseUrl);
  const clob = upstream('clob');
  return {
    clock,
    warnings,
    upstream,
    live: liveRead(clock),
    books: new OrderBooks(clob, clock),
    histories: new PriceHistories({ clob, data: upstream('data'), clock }),
  };
}
