/** What is read of a response's headers. */
export interface ResponseHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface FetchOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'error';
  readonly signal: AbortSignal;
}

export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Decompressed. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** As much of the standard `fetch` as the upstreams' clients need: the standard one is one of these. */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResponse>;
