import { setTimeout as wait } from 'node:timers/promises';
import type { LambdaFunction } from 'cdk-local';
import type { DatasetChange, FaultSpec } from 'polymarket-simulator';
import type { RefreshOutcome } from '../../../../local/service-events.ts';
import { DynamoDbProxy } from '../../../support/dynamodb-proxy.ts';
import { type TestResponse, TestService } from '../../support/test-service.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** Three pages of the catalogue, so that there is a first, a middle and a last one. */
const MARKETS = 250;
const LIST = '/api/markets?limit=1000';
const READER = 'list-markets';
const STATUS = 'get-status';
const LIVE = ['get-order-book', 'get-prices-history'];
/** Pages lie in Gamma's cache for a time that depends on their address; what they say would depend on it, too. */
const NO_CACHE = { route: 'gamma', kind: 'stale-page', age: 0 } as const satisfies FaultSpec;
const CLOCK_OFFSET = new URL('./clock-offset.ts', import.meta.url).href;

/** What the faults change in the functions; a container started after the change has it. */
export interface FunctionChanges {
  /** The time that the refresher has for a run, in place of the template's. */
  readonly runMs?: number;
  readonly refresherClockMs?: number;
  readonly readerClockMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What is read through for a caller, of one token. */
export interface LiveResponses {
  readonly book: TestResponse;
  readonly books: TestResponse;
  readonly history: TestResponse;
}

/** The whole service with everything around it in a test's hands: upstream, DynamoDB, processes, time. */
export class FaultBench {
  readonly service: TestService;
  readonly dynamodb: DynamoDbProxy;
  readonly table: SnapshotTable;
  changes: FunctionChanges = {};
  #upstreamTime = Date.now();

  private constructor(service: TestService, dynamodb: DynamoDbProxy, table: SnapshotTable) {
    this.service = service;
    this.dynamodb = dynamodb;
    this.table = table;
  }

  static async start(): Promise<FaultBench> {
    const dynamodb = await DynamoDbProxy.start();
    let bench: FaultBench | undefined;
    const service = await TestService.start({
      upstream: {
        markets: MARKETS,
        rateLimits: false,
        now: () => (bench ? bench.#upstreamTime : Date.now()),
      },
      environment: { REQUESTS_PER_MINUTE: 'off' },
      service: {
        adjust: (definition) => {
          const refresher = definition.environment.GAMMA_URL !== undefined;
          return {
            ...definition,
            get timeoutMs() {
              return (refresher ? bench?.changes.runMs : undefined) ?? definition.timeoutMs;
            },
            get environment() {
              const url = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
              return {
                ...definition.environment,
                ...url,
                ...changedEnvironment(bench?.changes ?? {}, refresher),
              };
            },
          };
        },
      },
    });
    dynamodb.target = service.service.dynamodbUrl;
    bench = new FaultBench(service, dynamodb, new SnapshotTable(service.service));
    await bench.clear();
    return bench;
  }

  /** Stops the upstream's time, so that runs find the same prices until it is called again. */
  freezeUpstream(): void {
    this.#upstreamTime = Date.now();
  }

  /** As a person does, over the control API. @returns its id */
  async addUpstreamFault(spec: FaultSpec): Promise<string> {
    const added = await this.#control('POST', 'faults', spec);
    return ((await added.json()) as { id: string }).id;
  }

  /** Bytes that the upstream got rid of with each response that one of these faults acted on. */
  bytesSpoiltBy(faults: readonly string[]): number[] {
    return this.service.upstream
      .state()
      .requests.filter((request) => request.faults.some((id) => faults.includes(id)))
      .map(({ responseBytes }) => responseBytes);
  }

  async changeDataset(change: DatasetChange): Promise<void> {
    await this.#control('POST', 'dataset', change);
  }

  /** Resolves when a fault of the upstream has acted. */
  async upstreamFaultActed(): Promise<void> {
    const acted = () =>
      this.service.upstream.state().faults.some(({ spec, hits }) => hits > 0 && spec.kind !== NO_CACHE.kind);
    while (!acted()) await wait(10);
  }

  /** Everything is well again. */
  async clear(): Promise<void> {
    this.changes = {};
    await this.#control('DELETE', 'faults');
    await this.addUpstreamFault(NO_CACHE);
    await this.#control('POST', 'dataset', { share: 1 });
    await this.dynamodb.clear();
  }

  refresh(): Promise<RefreshOutcome> {
    return this.service.service.refresh();
  }

  /** A run as the schedule of the prices begins it. */
  async refreshPrices(): Promise<RefreshOutcome> {
    const run = await this.#find('refresh').invoke(JSON.stringify({ kind: 'prices' }));
    const { ok, durationMs } = run;
    return run.ok ? { ok, durationMs } : { ok, durationMs, error: run.error.errorMessage };
  }

  /** Ends the refresher's process, as Lambda may; the next run starts anew. */
  killRefresher(): Promise<void> {
    return this.#find('refresh').kill();
  }

  killReader(): Promise<void> {
    return this.#find(READER).kill();
  }

  /** From a container that has responded before and holds what it has read, unless they were ended since. */
  read(): Promise<TestResponse> {
    return this.service.call(LIST);
  }

  /** From a container that knows nothing yet. */
  async readCold(): Promise<TestResponse> {
    await this.killReader();
    return await this.read();
  }

  async coldStatus(): Promise<TestResponse> {
    await this.#find(STATUS).kill();
    return await this.service.call('/api/status');
  }

  /** Books and a history of a token, from containers that know nothing yet. */
  async readLive(token: string): Promise<LiveResponses> {
    await Promise.all(LIVE.map((name) => this.#find(name).kill()));
    const [book, books, history] = await Promise.all([
      this.service.call(`/api/clob/order-book?token_id=${token}`),
      this.service.call(`/api/clob/order-books?token_id=${token}`),
      this.service.call(`/api/clob/prices-history?token_id=${token}&interval=1d`),
    ]);
    return { book, books, history };
  }

  async close(): Promise<void> {
    this.table.close();
    await this.service.close();
    await this.dynamodb.close();
  }

  #find(name: string): LambdaFunction {
    return this.service.service.functions.find(name);
  }

  async #control(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.service.upstream.url}/_control/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response;
  }
}

function changedEnvironment(changes: FunctionChanges, refresher: boolean): Readonly<Record<string, string>> {
  const offset = refresher ? changes.refresherClockMs : changes.readerClockMs;
  return {
    ...(refresher ? changes.environment : {}),
    ...(offset === undefined
      ? {}
      : { CLOCK_OFFSET_MS: String(offset), NODE_OPTIONS: `--import ${CLOCK_OFFSET}` }),
  };
}
