import { startLocalService } from '../local/service.ts';
import { startSimulator } from '../local/simulator/index.ts';

/** A local service in this process. */
export interface RunningService {
  readonly url: string;
  /** Makes one more full run. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Readers serve a snapshot for 150 s, so a run a minute keeps it fresh. */
const REFRESH_MS = 60_000;

/**
 * Starts the local service with one simulated snapshot and no limit per client.
 *
 * @param options.keepFresh publishes every minute, for work of more than two minutes
 */
export async function startRunningService(
  markets: number,
  { keepFresh = false } = {},
): Promise<RunningService> {
  const simulator = await startSimulator({ markets, lifecycle: false });
  const { url } = simulator;
  const service = await startLocalService({
    upstream: { gammaUrl: url, clobUrl: url, dataUrl: url },
    simulated: true,
  });
  const refresh = () => service.refresh('full');
  await refresh();
  // The refresher logs its failures.
  const timer = keepFresh
    ? setInterval(() => void refresh().catch(() => undefined), REFRESH_MS)
    : undefined;
  return {
    url: service.url,
    refresh,
    async stop() {
      clearInterval(timer);
      await service.stop();
      await simulator.stop();
    },
  };
}
