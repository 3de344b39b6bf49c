import { createServer } from 'node:http';
import { Control, type DatasetChange, type UpstreamState } from './control.ts';
import { GeneratedSource } from './dataset/generated.ts';
import { type FaultSpec, Faults } from './faults/registry.ts';
import { Catalogue, type Collection } from './gamma/catalogue.ts';
import { send } from './http/exchange.ts';
import { UpstreamHandler } from './http/handler.ts';
import { isFromOwnMachine } from './http/own-machine.ts';
import { RequestLog } from './http/request-log.ts';
import { json, type SimulatedResponse } from './http/response.ts';
import {
  MARKETS_DEFAULT,
  MARKETS_MOST,
  OptionError,
  portSentence,
  SEED_DEFAULT,
  V2_SHARE_DEFAULT,
} from './options.ts';
import { loadRecordings } from './recorded/load.ts';
import { RecordedSource } from './recorded/source.ts';
import type { EventOrderField, MarketSource, OrderField } from './source.ts';
import type { Latency, State } from './state.ts';

export interface UpstreamOptions {
  /** @default 0: any free port */
  readonly port?: number;
  /** 1 to 100,000. @default 2500 */
  readonly markets?: number;
  /** @default 1 */
  readonly seed?: number;
  /** Share of the markets on Protocol V2, 0 to 1. @default 0.2 */
  readonly v2Share?: number;
  /** @default 'none' */
  readonly latency?: Latency;
  /** Folder of recorded responses to serve in place of a generated dataset. */
  readonly recordings?: string;
  /** Whether the documented limits per IP act; they count by `now`. @default true */
  readonly rateLimits?: boolean;
  /** Clock, ms. @default Date.now */
  readonly now?: () => number;
}

/** A running simulated upstream. Its `url` is a Gamma, a CLOB and a Data API. */
export interface SimulatedUpstream {
  readonly url: string;
  /** What it serves, for people. */
  readonly description: string;
  state(): UpstreamState;
  /** Sets a fault and returns its id. @throws OptionError */
  addFault(spec: FaultSpec): string;
  /** Removes one fault, or all; false if there was none of that id. */
  clearFaults(id?: string): boolean;
  /** @throws OptionError */
  changeDataset(change: DatasetChange): void;
  setLatency(latency: Latency): void;
  setRateLimits(enabled: boolean): void;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

const OTHERS = 'The control API is for programs on this machine: no Origin, and Host 127.0.0.1 or localhost.';
/** Longer than any pause of a client's pool, so that the simulator never is the one to drop an idle connection. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts a simulated Gamma, CLOB and Data API on 127.0.0.1.
 * @throws OptionError with one sentence: an option out of range, a port in use, a folder without recordings
 */
export async function startUpstream(options: UpstreamOptions = {}): Promise<SimulatedUpstream> {
  const state = createState(options);
  const faults = new Faults(state.now);
  const log = new RequestLog();
  const control = new Control(state, faults, log);
  const handler = new UpstreamHandler(state, faults, log);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://upstream');
    const plainly = (result: SimulatedResponse) => send(response, result, { headers: {}, gzip: false });
    const handled =
      url === null
        ? plainly(json(400, { error: 'Bad Request' }))
        : url.pathname === '/_control' || url.pathname.startsWith('/_control/')
          ? isFromOwnMachine(request)
            ? control.respond(request, url.pathname).then(plainly)
            : plainly(json(403, { error: OTHERS }))
          : handler.handle(request, response, url);
    handled.catch((error: unknown) => {
      if (!response.destroyed) console.error('Simulated upstream: a request failed.', error);
      response.destroy();
    });
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    description: state.source.description,
    state: () => control.state(),
    addFault: (spec) => control.addFault(spec),
    clearFaults: (id) => control.clearFaults(id),
    changeDataset: (change) => control.changeDataset(change),
    setLatency: (latency) => control.setLatency(latency),
    setRateLimits: (enabled) => control.setRateLimits(enabled),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createState(options: UpstreamOptions): State {
  const {
    markets = MARKETS_DEFAULT,
    seed = SEED_DEFAULT,
    v2Share = V2_SHARE_DEFAULT,
    latency = 'none',
    rateLimits = true,
    now = Date.now,
  } = options;
  if (!Number.isInteger(markets) || markets < 1 || markets > MARKETS_MOST) {
    throw new OptionError(
      `The number of markets must be a whole number from 1 to ${MARKETS_MOST}, not ${markets}.`,
    );
  }
  if (!(v2Share >= 0 && v2Share <= 1)) {
    throw new OptionError(`The share of Protocol V2 must be a number from 0 to 1, not ${v2Share}.`);
  }
  const source =
    options.recordings === undefined
      ? new GeneratedSource({ seed, markets, v2Share, now: now() })
      : new RecordedSource(loadRecordings(options.recordings), now());
  return {
    source,
    catalogue: new Catalogue(marketsOf(source)),
    events: new Catalogue(eventsOf(source)),
    now,
    latency,
    rateLimits,
    previousPage: [],
  };
}

function eventsOf(source: MarketSource): Collection {
  return {
    get size() {
      return source.eventCount;
    },
    sortValue: (index, field) => source.eventSortValue(index, field as EventOrderField),
  };
}

function marketsOf(source: MarketSource): Collection {
  return {
    get size() {
      return source.size;
    },
    sortValue: (index, field) => source.sortValue(index, field as OrderField),
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const sentence = portSentence(error, port);
      reject(sentence === undefined ? error : new OptionError(sentence));
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
