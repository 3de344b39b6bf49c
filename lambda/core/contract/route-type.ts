import type { ErrorCode } from './errors.ts';
import type { Json } from './json-schema.ts';
import type { Parameter } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A row of the route table: the whole description of an endpoint. */
export interface Route {
  /** As API Gateway writes it: `{name}` is one segment. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** What a caller should know before the first request. */
  readonly description: string;
  /** Whether the endpoint is one of those that the service exists for. */
  readonly core?: true;
  /** HEAD is supported wherever GET is. @default GET */
  readonly method?: 'GET' | 'POST';
  /** Whether the limit per client counts its requests. */
  readonly counted: boolean;
  /** Where the response comes from: the newest snapshot, the order book upstream, the page's files, or the code alone. */
  readonly source: 'snapshot' | 'clob' | 'page' | 'none';
  /** Calls to the upstreams that one request makes at most, without retries. @default 0 */
  readonly maxUpstreamCalls?: number;
  /** Name of the function, if several endpoints share one. @default the endpoint's own name */
  readonly function?: string;
  /** Memory of the function in MB. @default 512 */
  readonly memoryMb?: number;
  /** By name. Those with `in: 'path'` are segments of the path. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Query parameters of a similar endpoint, and what this one offers in their place. The parser rejects them. */
  readonly otherParameters?: Readonly<Record<string, string>>;
  readonly response: RouteResponse;
}

/** The successful response of an endpoint, and its errors beside those that every endpoint has. */
interface RouteResponse {
  readonly schema: Json;
  /** @default application/json */
  readonly mediaType?: string;
  readonly example: unknown;
  readonly errors: readonly ErrorCode[];
  /** Whether the response has an ETag and the endpoint supports 304. @default true */
  readonly cacheable?: boolean;
  /** The other formats that the endpoint responds with. */
  readonly otherMediaTypes?: readonly ('text/csv' | 'application/atom+xml')[];
  /** Headers beside those that follow from the rest of the row. */
  readonly headers?: readonly ResponseHeader[];
}

type ResponseHeader =
  | 'X-Total-Count'
  | 'Link'
  | 'X-Search-Match'
  | 'X-Snapshot-Id'
  | 'X-Catalogue-As-Of'
  | 'X-Fidelity-Minutes';

/** Whether a route belongs to the market page, which the API document leaves out. */
export function isPageRoute({ response }: Pick<Route, 'response'>): boolean {
  return response.mediaType === 'text/html';
}

/** The methods that return data. */
export function methodsOf({ method = 'GET' }: Pick<Route, 'path' | 'method'>): readonly ('GET' | 'HEAD' | 'POST')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The methods of an endpoint for the header `Allow`. */
export function allowedMethods(route: Pick<Route, 'path' | 'method'>): readonly string[] {
  return [...methodsOf(route), 'OPTIONS'];
}

export function ref<N extends SchemaName>(name: N): { readonly $ref: `#/components/schemas/${N}` } {
  return { $ref: `#/components/schemas/${name}` };
}
