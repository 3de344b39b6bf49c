/** A response with an `ETag`, as the service sent it. */
export interface CachedResponse {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** A cache of responses by URL. Drops the least recently used one. */
export class EtagCache {
  readonly #entries = new Map<string, CachedResponse>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(url: string): CachedResponse | undefined {
    return this.#entries.get(url);
  }

  /** The cached body for a 304. The headers of the 304 win. */
  restore(url: string, cached: CachedResponse, notModified: Response): Response {
    const headers = new Headers(cached.headers);
    notModified.headers.forEach((value, name) => {
      headers.set(name, value);
    });
    this.#set(url, { ...cached, headers });
    return new Response(cached.body, { status: 200, headers });
  }

  /** Stores a response, if it has an `ETag`. */
  async store(url: string, response: Response): Promise<void> {
    const etag = response.headers.get('etag');
    if (etag === null) return;
    this.#set(url, { etag, body: await response.clone().text(), headers: response.headers });
  }

  #set(url: string, entry: CachedResponse): void {
    this.#entries.delete(url);
    this.#entries.set(url, entry);
    const [oldest = ''] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(oldest);
  }
}
