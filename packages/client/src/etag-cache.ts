/** A response that can be used again when the service says that nothing has changed. */
interface Kept {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Responses by URL, the least recently used one forgotten first. */
export class EtagCache {
  readonly #kept = new Map<string, Kept>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  etagOf(url: string): string | undefined {
    return this.#kept.get(url)?.etag;
  }

  /** The whole response to a 304: the body that is kept, the headers of both, the newer ones first. */
  whole(url: string, notModified: Response): Response | undefined {
    const kept = this.#kept.get(url);
    if (!kept) return undefined;
    const headers = new Headers(kept.headers);
    notModified.headers.forEach((value, name) => {
      headers.set(name, value);
    });
    this.#hold(url, { ...kept, headers });
    return new Response(kept.body, { status: 200, headers });
  }

  /** Keeps a copy of a response that has a tag. */
  async keep(url: string, response: Response): Promise<void> {
    const etag = response.headers.get('etag');
    if (etag === null || this.#max < 1) return;
    this.#hold(url, { etag, body: await response.clone().text(), headers: response.headers });
  }

  #hold(url: string, kept: Kept): void {
    this.#kept.delete(url);
    this.#kept.set(url, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#max) break;
      this.#kept.delete(oldest);
    }
  }
}
