import { Listener } from '../packages/cdk-local/src/http/listener.ts';
import { synthesize } from '../packages/cdk-local/src/template/synthesize.ts';
import { chaosEnvironment, playChaos } from './chaos/chaos.ts';
import type { Cleanup } from './cleanup.ts';
import type { Narrator } from './console/console-reporter.ts';
import { duration } from './console/format.ts';
import { dataSentence, examples, facts, stalenessWarning } from './console/introduction.ts';
import { firstRefresh } from './first-refresh.ts';
import type { Options, UpstreamChoice } from './options.ts';
import { startService } from './service.ts';
import type { RefreshOutcome } from './service-events.ts';
import { type SimulatedUpstream, startSimulatedUpstream } from './simulated-upstream.ts';

const SILENT_UPSTREAM =
  'The upstream does not answer. The service starts without data; the refresh goes on trying, and data is there as soon as it succeeds.';

/** Starts everything that `npm start` starts. Whatever needs undoing is in `cleanup`, also when this rejects. */
export async function run(
  options: Options,
  narrator: Narrator,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<void> {
  const outer = await Listener.open(options.port);
  cleanup.add(() => outer.close());
  const simulated = await startUpstream(options.upstream, narrator, cleanup);
  narrator.tell(dataSentence(options.upstream, simulated?.description ?? ''));
  signal.throwIfAborted();

  narrator.tell('Synthesising the CDK app and bundling its functions …');
  const synthesis = synthesize(contextOf(options, simulated), { signal });
  cleanup.add(async () => (await synthesis).dispose());
  const assembly = await narrator.step(synthesis, ({ place }) => `Synthesised the stack ${place.stackName}`);
  const starting = startService({
    assembly,
    outer,
    environment: environmentOf(options),
    ...(options.refreshEverySeconds === undefined ? {} : { schedule: options.refreshEverySeconds }),
  });
  cleanup.add(async () => (await starting).close());
  const service = await narrator.step(starting, () => 'Started the API, its functions and its tables');
  signal.throwIfAborted();

  narrator.follow(service);
  for (const fact of facts(service)) narrator.tell(fact);
  const warning = stalenessWarning(options.refreshEverySeconds, service.scheduleIntervalMs / 1_000);
  if (warning !== undefined) narrator.tell(warning);
  const first = await firstRefresh(service);
  if (signal.aborted) return;
  if (first === 'silent') narrator.tell(SILENT_UPSTREAM);
  else if (first?.ok === false) narrator.tell(firstFailure(first, service.refreshIntervalMs));
  narrator.print(['', 'Try:', ...examples(service), ''].join('\n'));
  if (service.publicKey !== undefined) narrator.print(`Public API key: ${service.publicKey}`);
  narrator.print(`Ready: ${service.url}`);
  if (!options.chaos || simulated === undefined) return;
  await playChaos({ service, upstreamUrl: simulated.url, tell: (text) => narrator.tell(text), signal });
}

/** What replaces the template's settings of the functions. */
function environmentOf({ rateLimit, refreshEverySeconds, chaos }: Options): Record<string, string> {
  return {
    ...(rateLimit === undefined ? {} : { REQUESTS_PER_MINUTE: rateLimit }),
    ...(refreshEverySeconds === undefined ? {} : { REFRESH_INTERVAL_SECONDS: String(refreshEverySeconds) }),
    ...(chaos && refreshEverySeconds !== undefined ? chaosEnvironment(refreshEverySeconds) : {}),
  };
}

async function startUpstream(
  choice: UpstreamChoice,
  narrator: Narrator,
  cleanup: Cleanup,
): Promise<SimulatedUpstream | undefined> {
  if (choice.kind === 'live' || choice.kind === 'given') return undefined;
  const { kind: _kind, ...options } = choice;
  const starting = startSimulatedUpstream(options);
  cleanup.add(async () => (await starting).close());
  return narrator.step(starting, ({ url }) => `Started the simulated upstream at ${url}`);
}

/** Context of the CDK app; without URLs it takes those of the stage, which are the real ones. */
function contextOf(
  { stage, context, upstream }: Options,
  simulated: SimulatedUpstream | undefined,
): Record<string, string> {
  const urls: Record<string, string> =
    simulated !== undefined
      ? { gammaUrl: simulated.url, clobUrl: simulated.url, dataUrl: simulated.url }
      : upstream.kind === 'given'
        ? { gammaUrl: upstream.gammaUrl, clobUrl: upstream.clobUrl, dataUrl: upstream.dataUrl }
        : {};
  return { ...context, ...urls, ...(stage === undefined ? {} : { stage }) };
}

function firstFailure({ error = '' }: RefreshOutcome, intervalMs: number): string {
  const reason = error.split('\n')[0]?.replace(/\.$/, '');
  return `The first refresh failed: ${reason}. The service starts all the same and tries again every ${duration(intervalMs)}.`;
}
