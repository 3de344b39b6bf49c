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

/**
 * The local service and a simulated upstream with 400 markets, without a schedule. Histories of
 * Protocol V2 need a call each, which the limits spread over a minute.
 */
export async function startTestService(
  options: SimulatorOptions & { readonly rateLimit?: number; readonly refresh?: boolean } = {},
): Promise<TestService> {
  const { rateLimit = 'off', refresh = true, ...simulation } = options;
  // The log lines of the functions are not part of a test's output.
  captureOutput();
  const simulator = await startSimulator({
    markets: 400,
    v2Share: 0.05,
    lifecycle: false,
    ...simulation,
  });
  const upstream = { gammaUrl: simulator.url, clobUrl: simulator.url, dataUrl: simulator.url };
  const service = await startLocalService({ upstream, rateLimit, simulated: true });
  const get = async (path: string, init: RequestInit = {}): Promise<TestResponse> => {
    const response = await fetch(`${service.url}${path}`, init);
    const text = await response.text();
    const isJson =
      response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const stop = async (): Promise<void> => {
    await Promise.all([service.stop(), simulator.stop()]);
  };
  if (refresh) {
    // As the server repeats its first run: the tables share this process, and a busy machine can be
    // too late for them.
    const first = service.refresh('full').catch(() => service.refresh('full'));
    await first.catch(async (error: unknown) => {
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
