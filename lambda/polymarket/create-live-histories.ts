import type { Upstream } from '../http-client/client.ts';
import type { Clock } from '../platform/clock.ts';
import { ClobBatchHistories, ClobSingleHistories } from './clob-history-routes.ts';
import { ClosedWindows } from './closed-windows.ts';
import { DataHistories } from './data-histories.ts';
import { LiveHistories } from './live-histories.ts';
import { RouteHealth } from './route-health.ts';

/** Price histories for callers who wait: for one token the single route comes first, since upstream caches it. */
export function createLiveHistories(
  { clob, data }: Readonly<Record<'clob' | 'data', Upstream>>,
  clock: Clock,
): ClosedWindows {
  const routes = [new ClobSingleHistories(clob), new ClobBatchHistories(clob), new DataHistories(data)];
  return new ClosedWindows(new LiveHistories({ routes, health: new RouteHealth(clock), clock }), clock);
}
