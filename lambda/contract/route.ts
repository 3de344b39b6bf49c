import type { ErrorCode } from './errors.ts';
import type { Parameter } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A JSON Schema, or a part of the API document. */
export type Json = Readonly<Record<string, unknown>>;

/** Everything that is known of an endpoint before it is implemented: a row of the route table. */
export interface Route {
  /** As API Gateway writes it: `{name}` stands for one segment. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** What it is called with; HEAD goes with GET. @default GET */
  readonly method?: 'GET' | 'POST';
  /** Whether the per-IP limit counts its requests. */
  readonly counted: boolean;
  /** What a response is made of: the newest snapshot, a call to the order book upstream, or nothing but the code. */
  readonly source: 'snapshot' | 'clob' | 'none';
  /** The function behind it, where several endpoints share one. @default one of the endpoint's own name */
  readonly function?: string;
  /** Memory of the function. @default 512 */
  readonly memoryMb?: number;
  /** By name; those with `in: 'path'` are the segments of the path. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly response: RouteResponse;
}

/** What an endpoint responds with on success, and the errors that are its own. */
export interface RouteResponse {
  readonly schema: Json;
  /** @default application/json */
  readonly mediaType?: string;
  readonly example: unknown;
  readonly errors: readonly ErrorCode[];
  /** Whether it has an ETag, and 304. */
  readonly cacheable: boolean;
  /** Whether it may be asked for as CSV, too. */
  readonly csv?: boolean;
  /** Headers of this endpoint besides those that follow from the rest of the row. */
  readonly headers?: readonly ResponseHeader[];
}

export type ResponseHeader = 'X-Total-Count' | 'Link' | 'X-Search-Match' | 'X-Data-Source';

/** The methods that an endpoint responds to with data. */
export function methodsOf({
  method = 'GET',
}: Pick<Route, 'path' | 'method'>): readonly ('GET' | 'HEAD' | 'POST')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** The methods of an endpoint as the header `Allow` names them. */
export function allowedMethods(route: Pick<Route, 'path' | 'method'>): readonly string[] {
  return [...methodsOf(route), 'OPTIONS'];
}

/** A reference to a schema of the API document. */
export function ref<N extends SchemaName>(name: N): { readonly $ref: `#/components/schemas/${N}` } {
  return { $ref: `#/components/schemas/${name}` };
}
