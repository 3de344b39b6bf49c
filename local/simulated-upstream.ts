import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf, StartError } from 'cdk-local';
import { type UpstreamOptions, WORKER_URL, type WorkerMessage } from 'polymarket-simulator';

export interface SimulatedUpstream {
  /** Serves Gamma and CLOB. */
  readonly url: string;
  /** What it serves, for people. */
  readonly description: string;
  close(): Promise<void>;
}

/** Starts the simulator in a thread of its own, on a free port. @throws {StartError} with its own sentence */
export async function startSimulatedUpstream(
  options: Omit<UpstreamOptions, 'port' | 'now'>,
): Promise<SimulatedUpstream> {
  const worker = new Worker(WORKER_URL, {
    workerData: { ...options, port: 0 },
    execArgv: [],
    env: {},
  });
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  try {
    const [message]: WorkerMessage[] = await once(worker, 'message');
    if (message === undefined) throw new Error('The simulated upstream did not start.');
    if ('error' in message) throw new Error(message.error);
    return { ...message, close };
  } catch (error) {
    await close();
    throw new StartError(messageOf(error), { cause: error });
  }
}
