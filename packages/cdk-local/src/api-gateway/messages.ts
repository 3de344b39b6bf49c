/** A header as it stands on the wire; a name may come more than once. */
export type Header = readonly [name: string, value: string];

/** A request as API Gateway receives it. */
export interface GatewayRequest {
  readonly method: string;
  /** As sent (percent-encoded), without the stage. */
  readonly path: string;
  /** As sent, without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The body was longer than API Gateway takes, and has been thrown away. */
  readonly bodyTooLarge: boolean;
  /** Address of whoever opened the connection to API Gateway. */
  readonly sourceIp: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  /** As it would be for GET, also when the request was HEAD. */
  readonly body: Buffer;
}

/** Last value of a header, in any case. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.findLast(([candidate]) => candidate.toLowerCase() === wanted)?.[1];
}

/** Parameters of a query string, decoded, `+` being a space, in order. */
export function queryOf(query: string): [string, string][] {
  return [...new URLSearchParams(query)];
}
