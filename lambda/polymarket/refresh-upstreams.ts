import type { UpstreamName } from '../contract/upstreams.ts';
import { BookLooker } from '../drift/book-looker.ts';
import type { Observation } from '../drift/observation.ts';
import { Sightings } from '../drift/sightings.ts';
import { createUpstream, type UpstreamSurroundings } from '../http-client/create-upstream.ts';
import type { Catalogue, Prices } from '../refresh/ports.ts';
import { ClobBatchHistories, ClobSingleHistories } from './clob-history-routes.ts';
import { ClobPrices } from './clob-prices.ts';
import { DataHistories } from './data-histories.ts';
import { GammaCatalogue } from './gamma-catalogue.ts';
import { HistoryChain } from './history-chain.ts';
import { RouteHealth } from './route-health.ts';

/** What the upstreams of a refresh do not have in common. */
export type RefreshUpstreamsOptions = Omit<
  UpstreamSurroundings,
  'baseUrl' | 'circuitBreaker' | 'observer'
> & {
  readonly urls: Readonly<Record<UpstreamName, string>>;
  readonly observers?: Readonly<Record<UpstreamName, NonNullable<UpstreamSurroundings['observer']>>>;
};

export interface RefreshUpstreams {
  readonly catalogue: Catalogue;
  readonly prices: Prices;
  /** What the upstreams were like since the last time; looks at one order book an hour. */
  readonly observe: () => Promise<Observation | undefined>;
}

/** What a refresh asks of the world, over the real upstreams. */
export function refreshUpstreams(options: RefreshUpstreamsOptions): RefreshUpstreams {
  const { urls, observers, ...shared } = options;
  const upstream = (name: UpstreamName, circuitBreaker: boolean) =>
    createUpstream(name, {
      ...shared,
      baseUrl: urls[name],
      circuitBreaker,
      ...(observers ? { observer: observers[name] } : {}),
    });
  const clob = upstream('clob', true);
  const historyRoutes = new RouteHealth(shared.clock);
  const sightings = new Sightings();
  const looker = new BookLooker(clob, sightings);
  const midpoints = new ClobPrices(clob);
  const histories = new HistoryChain({
    routes: [
      new ClobBatchHistories(clob),
      new ClobSingleHistories(clob),
      new DataHistories(upstream('data', true)),
    ],
    health: historyRoutes,
    clock: shared.clock,
  });
  return {
    catalogue: new GammaCatalogue(upstream('gamma', false), sightings),
    prices: {
      midpoints: (tokens, deadline) => midpoints.midpoints(tokens, deadline),
      histories: (tokens, range, deadline) => histories.histories(tokens, range, deadline),
    },
    observe: async () => {
      await looker.look();
      return sightings.take(historyRoutes.inUse);
    },
  };
}
