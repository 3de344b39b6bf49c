import { Listener } from 'cdk-local';
import { perUrlVariable, UPSTREAMS } from '../lambda/contract/upstreams.ts';
import { projectAssembly } from './assembly.ts';
import { chaosEnvironment, runChaos } from './chaos/chaos.ts';
import type { Cleanup } from './cleanup.ts';
import type { ConsoleReporter } from './console/console-reporter.ts';
import { anyListed, examples } from './console/examples.ts';
import { duration } from './console/format.ts';
import { dataSentence, facts, stalenessWarning, uncountedSentence } from './console/introduction.ts';
import { firstRefresh } from './first-refresh.ts';
import type { Options, UpstreamChoice } from './options.ts';
import { OWN_RESPONSES } from './own-responses.ts';
import { startService } from './service.ts';
import type { RefreshOutcome } from './service-events.ts';
import { type SimulatedUpstream, startSimulatedUpstream } from './simulated-upstream.ts';

const SILENT_UPSTREAM =
  'The upstream does not respond. The service starts without data; the refresh goes on trying, and data is there as soon as it succeeds.';

/** Starts everything that `npm start` starts. Whatever needs undoing is in `cleanup`, also when this rejects. */
export async function run(
  options: Options,
  reporter: ConsoleReporter,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<void> {
  const outer = await Listener.open(options.port, OWN_RESPONSES);
  cleanup.add(() => outer.close());
  const simulated = await startUpstream(options.upstream, reporter, cleanup);
  reporter.tell(dataSentence(options.upstream, simulated?.description ?? ''));
  signal.throwIfAborted();

  reporter.tell('Synthesising the CDK app and bundling its functions, unless nothing has changed …');
  const synthesis = projectAssembly(contextOf(options), signal);
  cleanup.add(() => synthesis.then(() => undefined));
  const assembly = await reporter.step(synthesis, ({ place }) => `Synthesised the stack ${place.stackName}`);
  const starting = startService({
    assembly,
    outer,
    environment: environmentOf(options, simulated),
    ...(options.refreshEverySeconds === undefined ? {} : { schedule: options.refreshEverySeconds }),
  });
  cleanup.add(async () => (await starting).close());
  const service = await reporter.step(starting, () => 'Started the API, its functions and its tables');
  signal.throwIfAborted();

  reporter.follow(service);
  for (const fact of facts(service)) reporter.tell(fact);
  const uncounted = uncountedSentence(options.rateLimit);
  if (uncounted !== undefined) reporter.tell(uncounted);
  const warning = stalenessWarning(options.refreshEverySeconds, service.scheduleIntervalMs / 1_000);
  if (warning !== undefined) reporter.tell(warning);
  const first = await firstRefresh(service);
  if (signal.aborted) return;
  if (first === 'silent') reporter.tell(SILENT_UPSTREAM);
  else if (first?.ok === false) reporter.tell(firstFailure(first, service.refreshIntervalMs));
  reporter.print(['', 'Try:', ...examples(service, await anyListed(service)), ''].join('\n'));
  if (service.publicKey !== undefined) reporter.print(`Public API key: ${service.publicKey}`);
  reporter.print(`Ready: ${service.url}`);
  if (!options.chaos || simulated === undefined) return;
  await runChaos({ service, upstreamUrl: simulated.url, tell: (text) => reporter.tell(text), signal });
}

/** What replaces the template's settings of the functions. */
function environmentOf(
  { rateLimit, refreshEverySeconds, chaos, upstream }: Options,
  simulated: SimulatedUpstream | undefined,
): Record<string, string> {
  return {
    ...upstreamUrls(upstream, simulated),
    ...(rateLimit === undefined ? {} : { REQUESTS_PER_MINUTE: rateLimit }),
    ...(refreshEverySeconds === undefined ? {} : { REFRESH_INTERVAL_SECONDS: String(refreshEverySeconds) }),
    ...(chaos && refreshEverySeconds !== undefined ? chaosEnvironment(refreshEverySeconds) : {}),
  };
}

async function startUpstream(
  choice: UpstreamChoice,
  reporter: ConsoleReporter,
  cleanup: Cleanup,
): Promise<SimulatedUpstream | undefined> {
  if (choice.kind === 'live' || choice.kind === 'given') return undefined;
  const { kind: _kind, ...options } = choice;
  const starting = startSimulatedUpstream(options);
  cleanup.add(async () => (await starting).close());
  return reporter.step(starting, ({ url }) => `Started the simulated upstream at ${url}`);
}

function contextOf({ stage, context }: Options): Record<string, string> {
  return { ...context, ...(stage === undefined ? {} : { stage }) };
}

/** Without any the functions keep those of the stage, which are the real ones. */
function upstreamUrls(
  upstream: UpstreamChoice,
  simulated: SimulatedUpstream | undefined,
): Record<string, string> {
  if (simulated !== undefined) return perUrlVariable(() => simulated.url);
  if (upstream.kind !== 'given') return {};
  return perUrlVariable((name) => upstream[UPSTREAMS[name].setting]);
}

function firstFailure({ error = '' }: RefreshOutcome, intervalMs: number): string {
  const reason = error.split('\n')[0]?.replace(/\.$/, '');
  return `The first refresh failed: ${reason}. The service starts all the same and tries again every ${duration(intervalMs)}.`;
}
