/**
 * The route table describes the HTTP API as data, with one row for each endpoint. This file has the
 * type of a row, and functions of a row.
 */
import type { ErrorCode } from './errors.ts';
import type { EXPOSED_HEADERS } from './headers.ts';
import type { Json } from './json-schema.ts';
import type { Parameter } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A row: the whole description of an endpoint. */
export interface Route {
  /** As in API Gateway: `{name}` is one segment. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string;
  /** The specification requires the endpoint. The others are additions. */
  readonly core?: true;
  /** GET includes HEAD. @default GET */
  readonly method?: 'GET' | 'POST';
  /** Whether the rate limit counts requests of the endpoint. It does not count the page's files. */
  readonly limited: boolean;
  /**
   * Where the response comes from: the newest snapshot (the stored list of markets), Polymarket's
   * APIs Gamma or CLOB, the files of the page, or the code alone (`none`).
   */
  readonly source: 'snapshot' | 'gamma' | 'clob' | 'page' | 'none';
  /** For endpoints that share a function. @default the endpoint's name */
  readonly function?: string;
  /** @default 512 */
  readonly memoryMb?: number;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Rejected parameters of other APIs and of similar endpoints, with the replacement. */
  readonly otherParameters?: Readonly<Record<string, string>>;
  readonly response: RouteResponse;
}

/** What the API document says about the response of an endpoint. */
interface RouteResponse {
  readonly schema: Json;
  /** @default application/json */
  readonly mediaType?: string;
  readonly example: unknown;
  /** Errors besides those of every endpoint. */
  readonly errors: readonly ErrorCode[];
  /** Whether the response has an ETag, so that callers can send it for a 304. @default true */
  readonly cacheable?: boolean;
  readonly otherMediaTypes?: readonly 'text/csv'[];
  /** Headers besides those that follow from the rest of the row. */
  readonly headers?: readonly (typeof EXPOSED_HEADERS)[number][];
}

/**
 * Whether the endpoint belongs to the market page, which the API document omits. Its routes are
 * those with HTML. Their `source` can also be `snapshot`.
 */
export function isPageRoute({ response }: Pick<Route, 'response'>): boolean {
  return response.mediaType === 'text/html';
}

/** The methods that return data. An endpoint that supports GET supports HEAD. */
export function methodsOf({ method = 'GET' }: Route): readonly ('GET' | 'HEAD' | 'POST')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The methods of an endpoint for the header `Allow`. */
export function allowedMethods(route: Route): readonly string[] {
  return [...methodsOf(route), 'OPTIONS'];
}

/** A reference to a schema of the API document: `{ $ref: '#/components/schemas/Market' }`. */
export function ref<N extends SchemaName>(name: N): { readonly $ref: `#/components/schemas/${N}` } {
  return { $ref: `#/components/schemas/${name}` };
}
