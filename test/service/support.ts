/** The whole service for tests: the local server, with a simulated Polymarket. */
import { type LocalService, startLocalService } from '../../local/service.ts';
import {
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../local/simulator/index.ts';
import { captureOutput } from '../support/captured-output.ts';

/** A response with its body as text and, where it is JSON, as a value. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

export interface TestService extends LocalService {
  readonly simulator: Simulator;
  get(path: string, init?: RequestInit): Promise<TestResponse>;
  /** A GET whose body is a list of objects. */
  list(path: string): Promise<readonly Row[]>;
}

/** A market or an event. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface TestServiceOptions extends SimulatorOptions {
  /** Requests a minute and address. @default no limit */
  readonly rateLimit?: number;
  /** False if the service starts without data. */
  readonly refresh?: boolean;
}

/**
 * Starts the service with the data of one run. Options of the simulator override its 400 markets.
 * For example:
 *
 *     const service = await startTestService({ markets: 50 });
 *     const { status, json } = await service.get('/api/status');
 *     await service.refresh('full'); // as the schedule of a server would
 *     await service.stop();
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { rateLimit = 'off', refresh = true, ...simulation } = options;
  // The log lines of the functions are not part of a test's output.
  captureOutput();
  const simulator = await startSimulator({
    markets: 400,
    // Few, because a history of Protocol V2 needs a call of its own, and the limits of upstream
    // would spread these calls over a minute.
    v2Share: 0.05,
    lifecycle: false,
    ...simulation,
  });
  const upstream = { gammaUrl: simulator.url, clobUrl: simulator.url, dataUrl: simulator.url };
  const service = await startLocalService({ upstream, rateLimit, simulated: true });
  const get = async (path: string, init?: RequestInit): Promise<TestResponse> =>
    readResponse(await fetch(`${service.url}${path}`, init));
  const stop = async (): Promise<void> => {
    await Promise.all([service.stop(), simulator.stop()]);
  };
  if (refresh) {
    await firstRun(service).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  }
  return {
    ...service,
    simulator,
    get,
    list: async (path) => (await get(path)).json as readonly Row[],
    stop,
  };
}

async function readResponse(response: Response): Promise<TestResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/**
 * Repeats the first run if it fails, as the server does: the database runs in this process, and can
 * be too slow on a busy machine.
 */
async function firstRun(service: LocalService): Promise<void> {
  await service.refresh('full').catch(() => service.refresh('full'));
}
