/**
 * `npm start`: runs the whole service on this machine. By default it reads a simulated Polymarket,
 * which runs in a thread of this process.
 */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { plural, printError, printRequest, shortenLogLines } from './console.ts';
import { DataFolder } from './data-folder.ts';
import { firstContact } from './doctor/facts.ts';
import { lambdaEventFor } from './event.ts';
import { startNightlyArchive } from './nightly-archive.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from './service.ts';
import { OptionError } from './simulator/faults.ts';
import { requireFreePort } from './simulator/listen.ts';
import { startSimulatorThread } from './simulator/worker.ts';

/**
 * After this time the server starts without data. The simulator always responds, so it gets longer.
 */
const MAX_WAIT_MS = 4_000;
const MAX_WAIT_SIMULATED_MS = 30_000;
/** How often the start looks for the first list. */
const STATUS_INTERVAL_MS = 100;

type Addresses = LocalServiceOptions['upstream'];

/** The upstream that this process uses. */
interface Upstream {
  readonly addresses: Addresses;
  readonly isSimulated: boolean;
}

/** Starts everything in order, and prints each step. The server runs until a signal ends it. */
async function run(options: Options): Promise<void> {
  const started = Date.now();
  await requireFreePort(options.port, options.host);
  if (!isLoopback(options.host)) console.log(exposureWarning(options.host));
  const { data } = options;
  const folder = data === undefined ? undefined : DataFolder.open(data, options.upstream);
  await folder?.requireFree();
  const upstream = await startUpstream(folder?.upstream ?? options.upstream);
  if (!options.verbose) shortenLogLines(hostNames(upstream.addresses));
  const contact = upstream.isSimulated ? undefined : printFirstContact(upstream.addresses);
  const service = await startService(options, upstream, folder);
  await printStart(service, started, upstream, contact);
  await service.load().catch(printError);
}

/**
 * Starts the simulator if the user or the data folder chose it, and says where the data is from.
 */
async function startUpstream(chosen: Options['upstream']): Promise<Upstream> {
  if ('simulator' in chosen) {
    const { url, description } = await startSimulatorThread(chosen.simulator);
    console.log(`All data is SIMULATED: ${description}. ${url}/_control injects faults.`);
    return { addresses: { gammaUrl: url, clobUrl: url, dataUrl: url }, isSimulated: true };
  }
  console.log(`The data comes from ${chosen.gammaUrl} and ${chosen.clobUrl}.`);
  return { addresses: chosen, isSimulated: false };
}

/** The hosts of the upstreams, by their names in the log. */
function hostNames({ gammaUrl, clobUrl, dataUrl }: Addresses) {
  return {
    gamma: new URL(gammaUrl).host,
    clob: new URL(clobUrl).host,
    data: new URL(dataUrl).host,
  };
}

/** Starts the service and its nightly archive. `options` are those that the service itself reads. */
async function startService(
  { upstream: _chosen, verbose: _verbose, data, ...options }: Options,
  { addresses, isSimulated }: Upstream,
  folder: DataFolder | undefined,
): Promise<LocalService> {
  const service = await startLocalService({
    ...options,
    upstream: addresses,
    simulated: isSimulated,
    tables: folder?.tables,
    onServed: printRequest,
  });
  if (data !== undefined) startNightlyArchive(data);
  folder?.announce({
    database: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    gammaUrl: addresses.gammaUrl,
    dataUrl: addresses.dataUrl,
  });
  const limit =
    options.rateLimit === 'off'
      ? 'unlimited requests'
      : `${plural(options.rateLimit, 'request')} a minute`;
  console.log(
    `The service reads all markets every ${options.refreshEverySeconds} s. Each address may make ${limit}.`,
  );
  return service;
}

/**
 * Waits some seconds for the first list, then prints calls to try.
 *
 * @param contact ends when the doctor's findings about a live upstream were printed
 */
async function printStart(
  service: LocalService,
  started: number,
  { isSimulated }: Upstream,
  contact: Promise<void> | undefined,
): Promise<void> {
  const maxWaitMs = isSimulated ? MAX_WAIT_SIMULATED_MS : MAX_WAIT_MS;
  const waited = new Promise<false>((resolve) => {
    setTimeout(() => resolve(false), maxWaitMs).unref();
  });
  const isListed = await Promise.race([printFirstList(service, started), waited]);
  // If the first contact takes longer, it prints its lines later.
  await Promise.race([contact, waited]);
  const reason = isListed ? undefined : (await readStatus(service)).reason;
  if (reason !== undefined) console.log(`The service waits for the first list. ${reason}`);
  const { url } = service;
  console.log(`
Try:
  curl '${url}/api/markets?limit=3'
  curl '${url}/api/markets/search?q=bitcoin&limit=3'
  curl '${url}/api/status'

Ready: ${url}`);
}

const isLoopback = (host: string): boolean => host === '::1' || host.startsWith('127.');

function exposureWarning(host: string): string {
  return `WARNING: Other machines can reach this server (--host ${host}). It has no TLS, no usage plans and no keys. Each
address has its own limit, so all addresses together have none.`;
}

/** Prints which parts of an upstream work, as `npm run doctor` does. Never rejects. */
async function printFirstContact({ gammaUrl, clobUrl, dataUrl }: Addresses): Promise<void> {
  await firstContact({ gamma: gammaUrl, clob: clobUrl, data: dataUrl })
    .then(console.log)
    .catch(printError);
}

/** Waits for the first list, even if many reads fail, and prints its size. */
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

/** Sends a request to a function. Uses its own key, so that no limit counts it. */
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
