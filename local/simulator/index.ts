/**
 * The simulated Polymarket, a server for development and tests. The service reads it in place of
 * the real one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CallCounter, type RouteCalls } from './calls.ts';
import { control } from './control.ts';
import { type FaultSpec, Faults } from './faults.ts';
import { respond } from './handler.ts';
import { listen } from './listen.ts';
import type { SimulatedMarket, Universe } from './market.ts';
import type { OutcomeOf, SimulatedData, UpstreamData } from './route.ts';
import { generateUniverse } from './universe/universe.ts';

export { type FaultSpec, OptionError } from './faults.ts';

/** What a simulator generates and how it behaves. All options have defaults. */
export interface SimulatorOptions {
  /** Open markets at the start. @default 2,500, more than the list's limit of 2,000 */
  readonly markets?: number | undefined;
  /** Another number makes other markets of the same kind. @default 1 */
  readonly seed?: number | undefined;
  /** Share of events on Protocol V2, 0 to 1. @default 0.2 */
  readonly v2Share?: number | undefined;
  /** Whether responses take as long as those of the real hosts. @default none */
  readonly latency?: 'none' | 'realistic' | undefined;
  /** The clock, in Unix ms. @default the machine's */
  readonly now?: () => number;
  /**
   * First date of generated markets. The same seed and start give the same markets.
   *
   * @default now()
   */
  readonly start?: number;
  /**
   * If true, short markets open and close while it runs. Otherwise only markets from before the
   * start are closed.
   *
   * @default true
   */
  readonly lifecycle?: boolean;
}

/** A simulated Polymarket: an HTTP server with Gamma, CLOB and the Data API at one address. */
export interface Simulator {
  readonly url: string;
  readonly description: string;
  addFault(spec: FaultSpec): void;
  clearFaults(): void;
  /** The calls by route, since the start or `clearCalls`. */
  calls(): Readonly<Record<string, RouteCalls>>;
  clearCalls(): void;
  stop(): Promise<void>;
}

/** Longer than any client keeps idle connections, so that the simulator never closes one first. */
const KEEP_ALIVE_MS = 65_000;

/** Starts a simulator on a free port of this machine. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { now = Date.now, latency = 'none' } = options;
  const { markets = 2_500, seed = 1, v2Share = 0.2, start = now(), lifecycle = true } = options;
  const universe = generateUniverse({ seed, markets, v2Share, now: start, lifecycle });
  const readData = dataOf(universe);
  const faults = new Faults();
  const calls = new CallCounter();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!request.url?.startsWith('/_control')) {
      return respond(request, response, { readData, faults, calls, latency, now });
    }
    const { status, body } = await control(request, { faults, calls });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify(body, null, 2)}\n`);
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.destroyed)
        console.error('The simulator could not respond to a request.', error);
      response.destroy();
    });
  });
  return {
    url: await listen(server, 0),
    description: universe.description,
    addFault: (spec) => faults.add(spec),
    clearFaults: () => faults.clear(),
    calls: () => calls.byRoute(),
    clearCalls: () => calls.clear(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Makes the function that returns the data of a universe at a time. */
function dataOf(universe: Universe): (atMs: number) => UpstreamData {
  const presentData = growingData();
  const pastData = growingData();
  return (atMs) => ({
    ...presentData(universe.until(atMs)),
    past: () => pastData(universe.past()),
  });
}

/**
 * Makes a function that indexes a list of markets by token and by condition id. The list may only
 * grow at its end, so each call adds only the new markets.
 */
function growingData(): (markets: readonly SimulatedMarket[]) => SimulatedData {
  const outcomes = new Map<string, OutcomeOf>();
  const conditions = new Map<string, SimulatedMarket>();
  let known = 0;
  return (markets) => {
    for (const market of markets.slice(known)) {
      conditions.set(market.conditionId, market);
      for (const outcome of [0, 1] as const)
        outcomes.set(market.tokens[outcome], { market, outcome });
    }
    known = markets.length;
    return { markets, outcomes, conditions };
  };
}
