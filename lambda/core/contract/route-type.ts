import type { ErrorCode } from './errors.ts';
import type { Json } from './json-schema.ts';
import type { Parameter } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** The whole description of an endpoint. */
export interface Route {
  /** As in API Gateway: `{name}` is one segment. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** What a caller should know first. */
  readonly description: string;
  /** The service exists for these endpoints. */
  readonly core?: true;
  /** GET includes HEAD. @default GET */
  readonly method?: 'GET' | 'POST';
  /** By the limit per client. */
  readonly counted: boolean;
  /** From the newest snapshot, the order book upstream, the page's files, or the code alone. */
  readonly source: 'snapshot' | 'clob' | 'page' | 'none';
  /** Maximum per request, without retries. @default 0 */
  readonly maxUpstreamCalls?: number;
  /** For endpoints that share a function. @default the endpoint's name */
  readonly function?: string;
  /** @default 512 */
  readonly memoryMb?: number;
  /** `in: 'path'`: a path segment. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Rejected parameters of a similar endpoint, with this one's replacement. */
  readonly otherParameters?: Readonly<Record<string, string>>;
  readonly response: RouteResponse;
}

/** Success, and errors besides those of every endpoint. */
interface RouteResponse {
  readonly schema: Json;
  /** @default application/json */
  readonly mediaType?: string;
  readonly example: unknown;
  readonly errors: readonly ErrorCode[];
  /** Has an ETag and supports 304. @default true */
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

/** For `Allow`. */
export function allowedMethods(route: Pick<Route, 'path' | 'method'>): readonly string[] {
  return [...methodsOf(route), 'OPTIONS'];
}

export function ref<N extends SchemaName>(name: N): { readonly $ref: `#/components/schemas/${N}` } {
  return { $ref: `#/components/schemas/${name}` };
}
