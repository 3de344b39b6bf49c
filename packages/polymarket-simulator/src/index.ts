/** The public face of the package: everything that a program or a test outside of it may use. */
export type { DatasetChange, UpstreamState } from './control.ts';
export { GeneratedSource } from './dataset/generated.ts';
export { FAULT_KINDS, type FaultKindName } from './faults/kinds.ts';
export type { FaultRoute, FaultSpec, FaultState } from './faults/registry.ts';
export type { LoggedRequest, RouteCount } from './http/request-log.ts';
export {
  latencyOption,
  MARKETS_DEFAULT,
  MARKETS_MOST,
  marketsOption,
  OptionError,
  portOption,
  SEED_DEFAULT,
  seedOption,
  V2_SHARE_DEFAULT,
  v2ShareOption,
  wholeOption,
} from './options.ts';
export { loadRecordings } from './recorded/load.ts';
export { RecordedSource } from './recorded/source.ts';
export { ROUTE_NAMES, type RouteName } from './routes.ts';
export { type SimulatedUpstream, startUpstream, type UpstreamOptions } from './server.ts';
export type { MarketSource, WireMarket } from './source.ts';
export { LATENCIES, type Latency } from './state.ts';
export type { WorkerMessage } from './worker-message.ts';

/** The module to run as a worker thread; takes UpstreamOptions without `now` and posts one WorkerMessage. */
export const WORKER_URL: URL = new URL('./worker.ts', import.meta.url);
