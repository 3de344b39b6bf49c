import { MAX_LIVE_BYTES } from '../contract/upstreams.ts';
import type { Upstream } from '../http-client/client.ts';
import type { Sightings } from './sightings.ts';

const TIMEOUT_MS = 2_000;

/** Looks at an order book in each run that reads the catalogue: the refresh itself reads none, and callers would see a change first. */
export class BookLooker {
  readonly #upstream: Upstream;
  readonly #sightings: Sightings;

  constructor(upstream: Upstream, sightings: Sightings) {
    this.#upstream = upstream;
    this.#sightings = sightings;
  }

  async look(): Promise<void> {
    const { token } = this.#sightings;
    if (token === undefined) return;
    const limits = {
      deadline: this.#upstream.clock.now() + TIMEOUT_MS,
      retries: 0,
      maxBytes: MAX_LIVE_BYTES,
    };
    try {
      await this.#upstream.request(
        'book',
        `/book?token_id=${token}`,
        ({ body }) => this.#sightings.sawBook(body),
        limits,
      );
    } catch {
      // Counted by the upstream client; the next run has another book.
    }
  }
}
