import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as constants from '../lambda/contract/constants.ts';
import { ROUTES_BY_FUNCTION } from '../lambda/contract/routes.ts';
import type { EnvironmentOf, FunctionName } from '../lambda/platform/environment.ts';
import { buildPageFiles } from '../packages/market-page/build.ts';
import { startDatabase } from './database.ts';
import { PUBLIC_KEY_ID } from './event.ts';
import { gatewayServer, type ServedRequest } from './http-server.ts';
import { listen } from './simulator/listen.ts';

export interface LocalServiceOptions {
  /** 0: any free port. @default 0 */
  readonly port?: number;
  readonly upstream: Readonly<Record<'gammaUrl' | 'clobUrl' | 'dataUrl', string>>;
  /** Requests per minute and client. @default off */
  readonly rateLimit?: number | 'off';
  /** Seconds between two full runs, the first of which begins at once. @default only `refresh` begins runs */
  readonly refreshEverySeconds?: number;
  readonly onServed?: (request: ServedRequest) => void;
}

export interface LocalService {
  readonly url: string;
  /** One run of the refresher. Rejects when the run fails. @param maxMs that it may take @default as in AWS */
  refresh(kind: RunKind, maxMs?: number): Promise<void>;
  /** Imports all functions. Without this, each is imported with its first request. */
  load(): Promise<void>;
  stop(): Promise<void>;
}

type RunKind = 'full' | 'prices';
const PAGE_FILES = join(tmpdir(), `market-data-proxy-page-${process.pid}.json`);
/** The time that a run has in AWS. */
const RUN_TIMEOUT_MS = 118_000;

/**
 * The whole service in this process: an embedded DynamoDB, the functions from their sources, and an HTTP server in place
 * of CloudFront and API Gateway. The functions read their settings when they are imported, so a process (in a test, a
 * test file) can start it once.
 *
 * @throws OptionError when the port cannot be used
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { port = 0, refreshEverySeconds, onServed = () => undefined } = options;
  // A function reads its settings when it is imported, so an early request waits for them.
  const configured = Promise.withResolvers<void>();
  const server = gatewayServer(async (name, event) => {
    await configured.promise;
    const handler = await handlerOf(name);
    return (await handler(event, { awsRequestId: event.requestContext.requestId })) as APIGatewayProxyResult;
  }, onServed);
  const url = await listen(server, port);
  const database = await startDatabase();
  Object.assign(process.env, variables(options, url));
  const timer = refreshEverySeconds === undefined ? undefined : startSchedule(refreshEverySeconds);
  // The function reads the file while it is imported.
  writeFileSync(PAGE_FILES, JSON.stringify(buildPageFiles()));
  await handlerOf('get-page').finally(() => rmSync(PAGE_FILES));
  configured.resolve();
  return {
    url,
    refresh,
    async load() {
      for (const name of ROUTES_BY_FUNCTION.keys()) await handlerOf(name);
    },
    async stop() {
      clearInterval(timer);
      server.closeAllConnections();
      await Promise.all([server, database].map((one) => new Promise((resolve) => one.close(resolve))));
    },
  };
}

async function handlerOf(name: FunctionName): Promise<(event: unknown, context: unknown) => Promise<unknown>> {
  const { handler } = await import(`../lambda/handlers/${name}.ts`);
  return handler;
}

async function refresh(kind: RunKind, maxMs = RUN_TIMEOUT_MS): Promise<void> {
  const end = Date.now() + maxMs;
  const handler = await handlerOf('refresh-snapshot');
  await handler({ kind }, { awsRequestId: `refresh-${end}`, getRemainingTimeInMillis: () => end - Date.now() });
}

/** Starts a full run at once and then at each interval; price runs come halfway, or every minute if that is sooner. */
function startSchedule(seconds: number): NodeJS.Timeout {
  const steps = Math.max(2, Math.round(seconds / constants.PRICE_INTERVAL_SECONDS));
  let step = 0;
  // The refresher logs its failures itself.
  const run = (kind: RunKind): void => void refresh(kind).catch(() => undefined);
  run('full');
  return setInterval(() => run(++step % steps === 0 ? 'full' : 'prices'), (seconds * 1_000) / steps);
}

/** The variables that the stack sets. A variable of the contract that is missing here does not compile. */
function variables(
  { upstream, rateLimit = 'off', refreshEverySeconds = constants.REFRESH_INTERVAL_SECONDS }: LocalServiceOptions,
  url: string,
): Readonly<Record<{ [F in FunctionName]: keyof EnvironmentOf<F> }[FunctionName], string>> {
  return {
    SNAPSHOT_TABLE: 'snapshots',
    RATE_LIMIT_TABLE: 'rate-limits',
    REQUESTS_PER_MINUTE: String(rateLimit),
    FRONT_DOOR: 'on',
    PUBLIC_API_KEY_IDS: PUBLIC_KEY_ID,
    GAMMA_URL: upstream.gammaUrl,
    CLOB_URL: upstream.clobUrl,
    DATA_URL: upstream.dataUrl,
    MAX_MARKETS: String(constants.MAX_MARKETS_DEFAULT),
    REFRESH_INTERVAL_SECONDS: String(refreshEverySeconds),
    ARCHIVE: 'off',
    SERVICE_VERSION: `${constants.VERSION} (local)`,
    PAGE_FILES,
    FRONT_DOOR_URL: url,
  };
}
