import { parseParameters, sentParameters } from '../../lambda/app/http/parse-parameters.ts';
import type { EndpointRequest } from '../../lambda/app/http/pipeline.ts';
import type { RouteName } from '../../lambda/core/contract/route-table.ts';

/** A request as the pipeline gives it to an endpoint: `/api/markets?limit=2`, with lower-case header names. */
export function endpointRequest<R extends RouteName>(
  route: R,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  pathParameters: Readonly<Record<string, string>> = {},
): EndpointRequest<R> {
  const { pathname, searchParams, origin } = new URL(target, 'https://service.example');
  const query = Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
  return {
    parameters: parseParameters(route, query, pathParameters),
    sent: sentParameters(route, query),
    headers,
    path: pathname,
    origin,
  };
}
