import { parentPort, workerData } from 'node:worker_threads';
import { startUpstream, type UpstreamOptions } from './server.ts';
import type { WorkerMessage } from './worker-message.ts';

/**
 * The simulated upstream on a thread of its own, so that what it does never delays what it is there to exercise.
 * Takes UpstreamOptions (without `now`) as workerData and posts one WorkerMessage; end it with `terminate()`.
 */
const post = (message: WorkerMessage) => parentPort?.postMessage(message);

try {
  const upstream = await startUpstream(workerData as UpstreamOptions);
  post({ url: upstream.url, description: upstream.description });
} catch (error) {
  post({ error: error instanceof Error ? error.message : String(error) });
}
