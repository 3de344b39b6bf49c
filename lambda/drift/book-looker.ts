import { MAX_LIVE_BYTES } from '../contract/upstreams.ts';
import type { Upstream } from '../http-client/client.ts';
import type { Sightings } from './sightings.ts';

/** Callers read books all the time; to see what they are like, one an hour is enough. */
const EVERY_MS = 3_600_000;
const TIMEOUT_MS = 2_000;

/** Looks at an order book now and then, since a refresh reads none. */
export class BookLooker {
  readonly #upstream: Upstream;
  readonly #sightings: Sightings;
  #nextAt = 0;

  constructor(upstream: Upstream, sightings: Sightings) {
    this.#upstream = upstream;
    this.#sightings = sightings;
  }

  async look(): Promise<void> {
    const now = this.#upstream.clock.now();
    const { token } = this.#sightings;
    if (token === undefined || now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    const limits = { deadline: now + TIMEOUT_MS, retries: 0, maxBytes: MAX_LIVE_BYTES };
    try {
      await this.#upstream.request(
        'book',
        `/book?token_id=${token}`,
        ({ body }) => this.#sightings.sawBook(body),
        limits,
      );
    } catch {
      // Counted by the upstream client; the next hour has another book.
    }
  }
}
