import { dynamoDbClient } from '../../lambda/io/platform/dynamodb.ts';
import { SnapshotReader } from '../../lambda/io/snapshots/snapshot-reader.ts';
import { SNAPSHOT_TABLE } from '../../local/database.ts';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../local/simulator/index.ts';
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
  /** Id of the newest snapshot in the table. The endpoints look there every five seconds only. */
  newestId(): Promise<string | undefined>;
  get(path: string, init?: RequestInit): Promise<TestResponse>;
  /** A GET whose body is a list of objects. */
  list(path: string): Promise<readonly Row[]>;
}

/** A market or an event. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The local service and a simulated upstream with 700 markets, without a schedule. */
export async function startTestService(
  options: SimulatorOptions & { readonly rateLimit?: number; readonly refresh?: boolean } = {},
): Promise<TestService> {
  const { rateLimit = 'off', refresh = true, ...simulation } = options;
  // The log lines of the functions are not part of a test's output.
  captureOutput();
  const simulator = await startSimulator({ markets: 700, lifecycle: false, ...simulation });
  const upstream = { gammaUrl: simulator.url, clobUrl: simulator.url, dataUrl: simulator.url };
  const service = await startLocalService({ upstream, rateLimit, simulated: true });
  const get = async (path: string, init: RequestInit = {}): Promise<TestResponse> => {
    const response = await fetch(`${service.url}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  const client = dynamoDbClient(service.environment);
  const reader = new SnapshotReader({ client, table: SNAPSHOT_TABLE, now: Date.now });
  const newestId = async () => (await reader.latest())?.id;
  const stop = async (): Promise<void> => {
    await Promise.all([service.stop(), simulator.stop()]);
  };
  if (refresh) {
    await service.refresh('full').catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  }
  return { ...service, simulator, newestId, get, list: async (path) => (await get(path)).json as readonly Row[], stop };
}

/** Waits until the check passes. @throws what the check threw last, after `ms` */
export async function eventually<T>(check: () => Promise<T>, ms = 12_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
