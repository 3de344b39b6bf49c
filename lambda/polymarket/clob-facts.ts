import { isPrice } from '../domain/decimal.ts';
import type { BookFact, BookFacts } from '../endpoints/ports.ts';
import type { Upstream } from '../http-client/client.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import { saysNoBook } from './clob-books.ts';
import { asObject } from './json-values.ts';
import { LIVE_CALL } from './live-call.ts';

/** What each endpoint calls its one value, and how a newer book writes it; undefined for what it cannot be. */
const READERS: Readonly<
  Record<
    BookFact,
    { readonly field: string; readonly read: (value: unknown) => string | boolean | undefined }
  >
> = {
  'last-trade-price': { field: 'price', read: priceText },
  'neg-risk': { field: 'neg_risk', read: (value) => (typeof value === 'boolean' ? value : undefined) },
  'tick-size': { field: 'minimum_tick_size', read: priceText },
};

/** Numbers come as numbers or as texts. */
function priceText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return isPrice(text) ? text : undefined;
}

/** CLOB's endpoints of one fact each: for older books, which lack their last four fields (docs/upstream.md). */
export class ClobFacts implements BookFacts {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** @throws UpstreamError `wrong_shape` for anything but the value, and whatever the call meets */
  async fact(name: BookFact, token: string, deadline: number): Promise<string | boolean | undefined> {
    const { field, read } = READERS[name];
    const query = new URLSearchParams({ token_id: token });
    const parse = ({ body }: { readonly body: unknown }) => {
      const value = read(asObject(body)?.[field]);
      if (value === undefined) throw new UpstreamError({ route: name, failure: 'wrong_shape' });
      return value;
    };
    try {
      const call = { ...LIVE_CALL, deadline, isResponse: saysNoBook };
      return await this.#upstream.request(name, `/${name}?${query}`, parse, call);
    } catch (error) {
      if (error instanceof UpstreamError && saysNoBook(error)) return undefined;
      throw error;
    }
  }
}
