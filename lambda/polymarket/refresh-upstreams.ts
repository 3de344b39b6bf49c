import type { UpstreamName } from '../contract/upstreams.ts';
import type { Upstream } from '../http-client/client.ts';
import { type CreateUpstreamOptions, createUpstream } from '../http-client/create-upstream.ts';
import type { Catalogue, Prices } from '../refresh/ports.ts';
import { ClobBatchHistories, ClobSingleHistories } from './clob-history-routes.ts';
import { ClobPrices } from './clob-prices.ts';
import { DataHistories } from './data-histories.ts';
import { GammaCatalogue } from './gamma-catalogue.ts';
import { HistoryChain } from './history-chain.ts';
import type { PageObserver } from './page-observer.ts';
import { RouteHealth } from './route-health.ts';

/** What the upstreams of a refresh do not have in common. */
export type RefreshUpstreamsOptions = Omit<CreateUpstreamOptions, 'baseUrl' | 'observer'> & {
  readonly urls: Readonly<Record<UpstreamName, string>>;
  /** Told what the pages of the catalogue are like. */
  readonly pages?: PageObserver;
  readonly observers?: Readonly<Record<UpstreamName, NonNullable<CreateUpstreamOptions['observer']>>>;
};

export interface RefreshUpstreams {
  readonly catalogue: Catalogue;
  readonly prices: Prices;
  /** Which of the history routes respond. */
  readonly historyRoutes: RouteHealth;
  readonly clob: Upstream;
}

/** What a refresh asks of the upstreams, over the real upstreams. */
export function refreshUpstreams(options: RefreshUpstreamsOptions): RefreshUpstreams {
  const { urls, observers, pages, ...shared } = options;
  const upstream = (name: UpstreamName) =>
    createUpstream(name, {
      ...shared,
      baseUrl: urls[name],
      ...(observers ? { observer: observers[name] } : {}),
    });
  const clob = upstream('clob');
  const historyRoutes = new RouteHealth(shared.clock);
  const midpoints = new ClobPrices(clob);
  const histories = new HistoryChain({
    routes: [
      new ClobBatchHistories(clob),
      new ClobSingleHistories(clob),
      new DataHistories(upstream('data')),
    ],
    health: historyRoutes,
    clock: shared.clock,
  });
  return {
    catalogue: new GammaCatalogue(upstream('gamma'), pages),
    prices: {
      midpoints: (tokens, deadline) => midpoints.midpoints(tokens, deadline),
      histories: (tokens, range, deadline) => histories.histories(tokens, range, deadline),
      get tokensPerCall() {
        return histories.tokensPerCall;
      },
    },
    historyRoutes,
    clob,
  };
}
