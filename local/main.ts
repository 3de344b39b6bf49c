import type { APIGatewayProxyResult } from 'aws-lambda';
import { plural, printError, printRequest, shortenLogLines } from './console.ts';
import { DataFolder } from './data-folder.ts';
import { lambdaEventFor } from './event.ts';
import { startNightlyArchive } from './nightly-archive.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from './service.ts';
import { OptionError } from './simulator/faults.ts';
import { requireFreePort } from './simulator/listen.ts';
import { startSimulatorThread } from './simulator/worker.ts';
import { problemOf } from './upstream-check.ts';

/** `npm start`: the whole service on this machine. */

/**
 * After this time the server starts without data. The simulator always responds, so it gets longer.
 */
const MAX_WAIT_MS = 4_000;
const MAX_WAIT_SIMULATED_MS = 30_000;
/** Shorter than `MAX_WAIT_MS`, so that the terminal names an upstream problem first. */
const CHECK_TIMEOUT_MS = 3_500;
const STATUS_INTERVAL_MS = 100;

async function run({
  upstream: requested,
  verbose,
  data: path,
  ...options
}: Options): Promise<void> {
  const started = Date.now();
  await requireFreePort(options.port, options.host);
  if (!isLoopback(options.host)) console.log(exposureWarning(options.host));
  const folder = path === undefined ? undefined : DataFolder.open(path, requested);
  await folder?.requireFree();
  const choice = folder?.upstream ?? requested;
  let upstream = choice;
  if ('simulator' in upstream) {
    const { url, description } = await startSimulatorThread(upstream.simulator);
    upstream = { gammaUrl: url, clobUrl: url, dataUrl: url };
    console.log(`All data is SIMULATED: ${description}. ${url}/_control injects faults.`);
  } else console.log(`The data comes from ${upstream.gammaUrl} and ${upstream.clobUrl}.`);
  const { gammaUrl, clobUrl, dataUrl } = upstream;
  const [gamma, clob, data] = [gammaUrl, clobUrl, dataUrl].map((url) => new URL(url).host);
  if (!verbose) shortenLogLines({ gamma, clob, data } as Record<string, string>);
  const problems = 'simulator' in choice ? Promise.resolve(false) : printProblems(upstream);
  let onServed: typeof printRequest = () => undefined;
  const service = await startLocalService({
    ...options,
    upstream,
    simulated: 'simulator' in choice,
    tables: folder?.tables,
    onServed: (request) => onServed(request),
  });
  if (path !== undefined) startNightlyArchive(path);
  folder?.announce({
    database: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    gammaUrl,
    dataUrl,
  });
  const { url } = service;
  const limit =
    options.rateLimit === 'off'
      ? 'unlimited requests'
      : `${plural(options.rateLimit, 'request')} a minute`;
  console.log(
    `The service reads all markets every ${options.refreshEverySeconds} s. Each address may make ${limit}.`,
  );
  const listed = printFirstList(service, started);
  const maxWaitMs = 'simulator' in choice ? MAX_WAIT_SIMULATED_MS : MAX_WAIT_MS;
  const isListed = await Promise.race([
    listed,
    new Promise((resolve) => setTimeout(resolve, maxWaitMs).unref()),
  ]);
  const hasProblems = await problems;
  if (!isListed && !hasProblems)
    console.log(`The service waits for the first list. ${(await readStatus(service)).reason}`);
  console.log(`
Try:
  curl '${url}/api/markets?limit=3'
  curl '${url}/api/markets/search?q=bitcoin&limit=3'
  curl '${url}/api/status'

Ready: ${url}`);
  onServed = printRequest;
  await service.load().catch(printError);
}

const isLoopback = (host: string): boolean => host === '::1' || host.startsWith('127.');

function exposureWarning(host: string): string {
  return `WARNING: Other machines can reach this server (--host ${host}). It has no TLS, no usage plans and no keys. Each
address has its own limit, so all addresses together have none.`;
}

/** @returns true if there is a problem */
async function printProblems({
  gammaUrl,
  clobUrl,
}: LocalServiceOptions['upstream']): Promise<boolean> {
  const urls = [`${gammaUrl}/markets/keyset?limit=1`, `${clobUrl}/book?token_id=1`];
  const found = await Promise.all(urls.map((url) => problemOf(url, CHECK_TIMEOUT_MS)));
  const problems = [...new Set(found.filter((problem) => problem !== undefined))];
  if (problems.length === 0) return false;
  console.log(`The service cannot read the upstream: ${problems.join('; ')}.
It keeps trying, and prints a line when it has the first list.`);
  return true;
}

/** Waits for the first list, even if many reads fail. */
async function printFirstList(service: LocalService, started: number): Promise<true> {
  for (;;) {
    const { markets } = await readStatus(service);
    const events =
      markets === undefined
        ? undefined
        : await read(service, '/api/events?limit=1').catch(() => undefined);
    if (markets !== undefined && events?.statusCode === 200) {
      const sizes = [
        plural(markets, 'market'),
        plural(Number(events.headers?.['X-Total-Count']), 'event'),
      ];
      console.log(`${sizes.join(', ')} in ${((Date.now() - started) / 1_000).toFixed(1)} s.`);
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, STATUS_INTERVAL_MS));
  }
}

/** The size of the list, or the reason why there is none. Never rejects. */
async function readStatus(service: LocalService): Promise<{ markets?: number; reason?: string }> {
  try {
    const { statusCode, body } = await read(service, '/api/status');
    const { status, markets, reason, error } = JSON.parse(body);
    return statusCode === 200 && status !== 'empty' ? { markets } : { reason: reason ?? error };
  } catch (error) {
    return { reason: String(error) };
  }
}

/** Uses its own key, so that no limit counts it. */
async function read(service: LocalService, target: string): Promise<APIGatewayProxyResult> {
  const { name, event } = lambdaEventFor(target);
  const handler = await service.handler(name);
  Object.assign(event.requestContext.identity, { apiKeyId: 'start' });
  return (await handler(
    event as never,
    { awsRequestId: 'start' } as never,
  )) as APIGatewayProxyResult;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
// The program that reads our output has ended, for example `head`.
process.stdout.on('error', () => process.exit(0));

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  // Only the program's own errors need a stack.
  await printError(error instanceof OptionError ? error.message : error);
  process.exit(error instanceof OptionError ? 2 : 1);
}
