/**
 * The whole service in one process, for `npm start`, tests and tools: an embedded DynamoDB, the
 * functions from source, and an HTTP server instead of CloudFront and API Gateway.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as constants from '../lambda/core/contract/constants.ts';
import { dynamoDbClient } from '../lambda/io/platform/dynamodb.ts';
import type { Environment, EnvironmentOf } from '../lambda/io/platform/environment.ts';
import { SNAPSHOT_TABLE, startDatabase } from './database.ts';
import { PUBLIC_KEY_ID } from './event.ts';
import { startExpiry } from './expiry.ts';
import { functionsOf, type Handler, LOCAL_FUNCTIONS, type LocalFunctionName } from './functions.ts';
import { gatewayServer, type ServedRequest } from './http-server.ts';
import { listen } from './simulator/listen.ts';

/** How a local service runs. */
export interface LocalServiceOptions {
  /** 0: any free port. @default 0 */
  readonly port?: number;
  readonly host?: string | undefined;
  /** The addresses of the upstreams. */
  readonly upstream: Readonly<Record<'gammaUrl' | 'clobUrl' | 'dataUrl', string>>;
  /** Whether responses say that the data is simulated. @default false */
  readonly simulated?: boolean;
  /** Requests per minute and client. @default off */
  readonly rateLimit?: number | 'off';
  /** The time between full runs; the first starts at once. @default runs start only by `refresh` */
  readonly refreshEverySeconds?: number;
  readonly onServed?: (request: ServedRequest) => void;
  /** The folder of the tables; keeps snapshots for the archive. @default in memory */
  readonly tables?: string | undefined;
}

/** A running local service. */
export interface LocalService {
  readonly url: string;
  /** Makes one run, which has as much time as in AWS; rejects if it fails. */
  refresh(kind: RunKind): Promise<void>;
  /** The variables of the functions. */
  readonly environment: Environment;
  /** The handler of a function, loaded on first use. */
  handler(name: LocalFunctionName): Promise<Handler>;
  /** Loads all functions, so that no request waits for it. */
  load(): Promise<void>;
  stop(): Promise<void>;
}

/** A full run reads the catalogue and all prices; a price run, only prices. */
type RunKind = 'full' | 'prices';
/** The refresher's timeout in AWS. */
const RUN_TIMEOUT_MS = 118_000;

/**
 * Starts the service.
 *
 * @throws OptionError if the port or address cannot be used
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { port = 0, refreshEverySeconds, onServed = () => undefined } = options;
  // The server takes the port first, so that a port in use is reported at once. Requests that come
  // before the functions can be loaded wait for this promise.
  const functions = Promise.withResolvers<ReturnType<typeof functionsOf>>();
  const server = gatewayServer(async (name, event) => {
    const handlerOf = await functions.promise;
    const handler = await handlerOf(name);
    const context = { awsRequestId: event.requestContext.requestId };
    return (await handler(event as never, context as never)) as APIGatewayProxyResult;
  }, onServed);
  const url = await listen(server, port, options.host);
  const database = await startDatabase(options.tables);
  const environment = { ...database.environment, ...variables(options), SITE_URL: url };
  const handler = functionsOf(environment);
  functions.resolve(handler);
  const refresh = async (kind: RunKind): Promise<void> =>
    runRefresher(await handler('refresh-snapshot'), kind);
  const stopExpiry = startExpiry(dynamoDbClient(database.environment), console.error);
  const stopSchedule =
    refreshEverySeconds === undefined ? undefined : startSchedule(refreshEverySeconds, refresh);
  return {
    url,
    environment,
    handler,
    refresh,
    async load() {
      for (const name of LOCAL_FUNCTIONS) await handler(name);
    },
    async stop() {
      stopSchedule?.();
      stopExpiry();
      server.closeAllConnections();
      await Promise.all(
        [server, database.server].map((one) => new Promise((resolve) => one.close(resolve))),
      );
    },
  };
}

/** The pause before the first run is repeated. */
const FIRST_RUN_PAUSE_MS = 5_000;

/**
 * Starts runs by time. Full runs start at once and at each interval, price runs halfway, or every
 * minute if sooner. The first run repeats until it succeeds, so that data does not wait for the
 * interval.
 *
 * @param seconds between full runs
 * @returns a function that stops it
 */
export function startSchedule(
  seconds: number,
  refresh: (kind: RunKind) => Promise<void>,
): () => void {
  // Each full run is followed by one price run or more before the next full run.
  const stepsPerFullRun = Math.max(2, Math.round(seconds / constants.RUN_INTERVAL_SECONDS));
  let step = 0;
  let retry: NodeJS.Timeout | undefined;
  const first = (): void => {
    // The refresher logs its failures.
    refresh('full').catch(() => {
      retry = setTimeout(first, FIRST_RUN_PAUSE_MS);
    });
  };
  first();
  const next = (): void => {
    step += 1;
    refresh(step % stepsPerFullRun === 0 ? 'full' : 'prices').catch(() => undefined);
  };
  const timer = setInterval(next, (seconds * 1_000) / stepsPerFullRun);
  return () => {
    clearTimeout(retry);
    clearInterval(timer);
  };
}

/** Makes one run of the refresher. */
async function runRefresher(handler: Handler, kind: RunKind): Promise<void> {
  const deadline = Date.now() + RUN_TIMEOUT_MS;
  const context = {
    awsRequestId: `refresh-${deadline}`,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  await handler({ kind } as never, context as never);
}

/** All functions but that of the page, whose own variables `functionsOf` adds. */
type ConfiguredFunction = Exclude<LocalFunctionName, 'get-page'>;
/** The name of a variable that at least one of these functions reads, such as `CLOB_URL`. */
type Variable = { [F in ConfiguredFunction]: keyof EnvironmentOf<F> }[ConfiguredFunction];

/**
 * The time-out of the rate limit's table: 2 s in AWS. Here 1,000 simultaneous requests share a
 * process, which can be on a busy machine.
 */
const RATE_LIMIT_TIMEOUT_MS = 60_000;

/** The variables of the functions, as the stack sets them. */
function variables({
  upstream,
  tables,
  rateLimit = 'off',
  simulated = false,
  refreshEverySeconds = constants.REFRESH_INTERVAL_SECONDS,
}: LocalServiceOptions): Readonly<Record<Variable, string>> {
  return {
    SNAPSHOT_TABLE,
    RATE_LIMIT_TABLE: 'rate-limits',
    REQUESTS_PER_MINUTE: String(rateLimit),
    RATE_LIMIT_TIMEOUT_MS: String(RATE_LIMIT_TIMEOUT_MS),
    FRONT_DOOR: 'on',
    PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
    GAMMA_URL: upstream.gammaUrl,
    CLOB_URL: upstream.clobUrl,
    DATA_URL: upstream.dataUrl,
    MAX_MARKETS: String(constants.MAX_MARKETS_DEFAULT),
    REFRESH_INTERVAL_SECONDS: String(refreshEverySeconds),
    SIMULATED: simulated ? 'on' : 'off',
    ARCHIVE: tables === undefined ? 'off' : 'on',
    SERVICE_VERSION: `${constants.VERSION} (local)`,
  };
}
