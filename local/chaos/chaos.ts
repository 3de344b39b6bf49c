import { setTimeout as sleep } from 'node:timers/promises';
import { POINTER_LOOK_SECONDS, PUBLISH_GRACE_SECONDS } from '../../lambda/contract/constants.ts';
import type { LocalService } from '../local-service.ts';
import type { RefreshOutcome } from '../service-events.ts';
import { controlClient } from './control-client.ts';
import { probe } from './probe.ts';
import { runScenarios } from './run-scenarios.ts';
import { type ChaosScenario, SCENARIOS } from './scenarios.ts';

/**
 * The environment of the functions under chaos: data is fresh for one interval rather than two minutes, so that
 * nobody has to wait for minutes to see it go stale. The grace of the next run stays what it is.
 */
export function chaosEnvironment(refreshSeconds: number): Readonly<Record<string, string>> {
  return { FRESH_SECONDS: String(refreshSeconds) };
}

export interface ChaosOptions {
  readonly service: Pick<LocalService, 'url' | 'publicKey' | 'refreshIntervalMs' | 'on' | 'off'>;
  readonly upstreamUrl: string;
  readonly tell: (text: string) => void;
  readonly signal: AbortSignal;
  readonly scenarios?: readonly ChaosScenario[];
}

/** Runs the scenarios on the simulated upstream of a running service. Rejects when it is aborted. */
export async function runChaos(options: ChaosOptions): Promise<void> {
  const { service, upstreamUrl, tell, signal, scenarios = SCENARIOS } = options;
  const limitMs = service.refreshIntervalMs + PUBLISH_GRACE_SECONDS * 1_000;
  tell(
    `In this mode data is fresh for ${service.refreshIntervalMs / 1_000} s in place of two minutes, and served until it is ${limitMs / 1_000} s old.`,
  );
  await runScenarios(scenarios, {
    control: controlClient(upstreamUrl),
    tell,
    probe: () => probe(service.url, service.publicKey),
    runs: (count) => runsFromNow(service, count, signal),
    sleep: (ms) => sleep(ms, undefined, { signal }),
    pointerLookMs: POINTER_LOOK_SECONDS * 1_000,
    refreshMs: service.refreshIntervalMs,
    limitMs,
  });
}

/** Runs that were under way before do not count: they may have read the upstream as it was. */
async function runsFromNow(
  service: Pick<LocalService, 'on' | 'off'>,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const since = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let ended = 0;
  const listener = ({ durationMs }: RefreshOutcome): void => {
    if (performance.now() - durationMs >= since) ended += 1;
    if (ended >= count) resolve();
  };
  const abort = () => reject(signal.reason);
  service.on('refresh', listener);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await promise;
  } finally {
    service.off('refresh', listener);
    signal.removeEventListener('abort', abort);
  }
}
