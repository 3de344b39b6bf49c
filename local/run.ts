import type { Cleanup } from './cleanup.ts';
import { duration } from './console/format.ts';
import { dataSentence, examples, facts, stalenessWarning } from './console/introduction.ts';
import type { Narrator } from './console/narrator.ts';
import { Listener } from './http/listener.ts';
import type { LocalService } from './local-service.ts';
import type { Options, UpstreamChoice } from './options.ts';
import { startService } from './service.ts';
import { type SimulatedUpstream, startSimulatedUpstream } from './simulated-upstream.ts';
import { synthesize } from './template/synthesize.ts';

/** Starts everything that `npm start` starts. Whatever needs undoing is in `cleanup`, also when this rejects. */
export async function run(
  options: Options,
  narrator: Narrator,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<void> {
  const frontDoor = await Listener.open(options.port);
  cleanup.add(() => frontDoor.close());
  const simulated = await startUpstream(options.upstream, narrator, cleanup);
  narrator.tell(dataSentence(options.upstream, simulated?.description ?? ''));
  signal.throwIfAborted();

  narrator.tell('Synthesising the CDK app and bundling its functions …');
  const synthesis = synthesize(contextOf(options, simulated), { signal });
  cleanup.add(async () => (await synthesis).dispose());
  const assembly = await narrator.step(synthesis, ({ place }) => `Synthesised the stack ${place.stackName}`);
  const starting = startService({
    assembly,
    frontDoor,
    environment: options.rateLimit === undefined ? {} : { REQUESTS_PER_MINUTE: options.rateLimit },
    ...(options.refreshEverySeconds === undefined ? {} : { schedule: options.refreshEverySeconds }),
  });
  cleanup.add(async () => (await starting).close());
  const service = await narrator.step(starting, () => 'Started the API, its functions and its tables');
  signal.throwIfAborted();

  narrator.follow(service);
  for (const fact of facts(service)) narrator.tell(fact);
  const warning = stalenessWarning(options.refreshEverySeconds, service.scheduleIntervalMs / 1_000);
  if (warning !== undefined) narrator.tell(warning);
  await tellFirstRefresh(service, narrator);
  if (signal.aborted) return;
  narrator.print(['', 'Try:', ...examples(service), ''].join('\n'));
  narrator.print(`Ready: ${service.url}`);
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
  { stage, upstream }: Options,
  simulated: SimulatedUpstream | undefined,
): Record<string, string> {
  const urls: Record<string, string> =
    simulated !== undefined
      ? { gammaUrl: simulated.url, clobUrl: simulated.url }
      : upstream.kind === 'given'
        ? { gammaUrl: upstream.gammaUrl, clobUrl: upstream.clobUrl }
        : {};
  return { ...urls, ...(stage === undefined ? {} : { stage }) };
}

async function tellFirstRefresh(service: LocalService, narrator: Narrator): Promise<void> {
  const outcome = await service.firstRefresh;
  if (outcome === undefined || outcome.ok) return;
  const again = duration(service.refreshIntervalMs);
  const reason = (outcome.error ?? '').split('\n')[0]?.replace(/\.$/, '');
  narrator.tell(
    `The first refresh failed: ${reason}. The service starts all the same and tries again every ${again}.`,
  );
}
