import type { RouteName } from '../../lambda/core/contract/route-table.ts';
import type { MarketSnapshot } from '../../lambda/core/query/market-snapshot.ts';
import type { EndpointRequest } from '../../lambda/http/endpoint.ts';
import { parseParameters, sentParameters } from '../../lambda/http/parse-parameters.ts';
import type { SnapshotEndpointDeps } from '../../lambda/http/snapshot-response.ts';
import { AS_OF } from './markets.ts';

/**
 * A request as the pipeline gives it to an endpoint, for example
 * `endpointRequest('list-markets', '/api/markets?limit=2', { 'if-none-match': '"a"' })`.
 *
 * @param headers with names in lower case
 * @param pathParameters the segments of the path that the route names, such as `{ id: '0x1' }`
 */
export function endpointRequest<R extends RouteName>(
  route: R,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  pathParameters: Readonly<Record<string, string>> = {},
): EndpointRequest<R> {
  const { pathname, searchParams } = new URL(target, 'https://service.example');
  const query = Object.fromEntries(
    [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
  );
  return {
    parameters: parseParameters(route, query, pathParameters),
    sent: sentParameters(route, query),
    headers,
    path: pathname,
  };
}

/**
 * What an endpoint of snapshots depends on: the newest snapshot, others that it can read by their
 * ids, and the time, which is that of the newest prices.
 */
export function snapshotDeps(
  latest: MarketSnapshot,
  ...others: readonly MarketSnapshot[]
): SnapshotEndpointDeps {
  const byId = async (id: string) => {
    const found = [latest, ...others].find(({ info }) => info.id === id);
    if (!found) throw new Error(`There is no snapshot ${id}`);
    return found;
  };
  return { snapshots: { latest: async () => latest, byId }, now: () => AS_OF };
}
