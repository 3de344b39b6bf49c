import type { LiveBooksDeps } from '../../endpoints/order-books/order-books.ts';
import { systemClock } from '../../io/platform/clock.ts';
import type { Log } from '../../io/platform/telemetry.ts';
import { OrderBooks } from '../../io/polymarket/clob-books.ts';
import { liveRead } from '../../io/polymarket/live-read.ts';
import { Upstream } from '../../io/upstream/client.ts';
import type { UpstreamName } from '../../io/upstream/upstreams.ts';
import type { FunctionContext } from './limited.ts';

/**
 * Makes what the endpoints of live order books need: the reader of books, and `live`, which limits
 * the time of a read that a caller waits for, and makes the error if it fails.
 */
export function bookDeps({
  settings,
  logger,
}: FunctionContext<{ CLOB_URL: string }>): LiveBooksDeps {
  const clob = upstream('clob', settings.CLOB_URL, logger);
  return { books: new OrderBooks(clob, systemClock), live: liveRead(systemClock) };
}

/** Makes a client of an upstream. All clients of one upstream in a container share its limits. */
export function upstream(name: UpstreamName, baseUrl: string, observer: Log): Upstream {
  return new Upstream(name, { baseUrl, clock: systemClock, random: Math.random, observer });
}
