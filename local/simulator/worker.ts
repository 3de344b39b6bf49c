/** The simulator in a thread of its own. The thread runs this file, too. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { OptionError, type Simulator, type SimulatorOptions, startSimulator } from './index.ts';

/** What the thread reports when its simulator listens. Otherwise it reports the error's text. */
type Started = Pick<Simulator, 'url' | 'description'>;

/**
 * Starts a simulator in its own thread, so that it does not slow down the service. The thread ends
 * with the process.
 *
 * @throws OptionError for a wrong option
 */
export async function startSimulatorThread(
  options: Omit<SimulatorOptions, 'now'>,
): Promise<Started> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const [started]: (Started | string)[] = await once(worker, 'message');
  if (typeof started === 'object') return started;
  throw new OptionError(started ?? 'The simulator did not start.');
}

if (!isMainThread) {
  startSimulator(workerData).then(
    ({ url, description }) => parentPort?.postMessage({ url, description }),
    (error: Error) => parentPort?.postMessage(error.message),
  );
}
