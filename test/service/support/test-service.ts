import { type SimulatedUpstream, startUpstream, type UpstreamOptions } from 'polymarket-simulator';
import { methodsOf, type Route } from '../../../lambda/contract/route.ts';
import { ROUTES } from '../../../lambda/contract/routes.ts';
import { perUrlVariable } from '../../../lambda/contract/upstreams.ts';
import type { SnapshotEntry } from '../../../lambda/domain/snapshot.ts';
import { snapshotId } from '../../../lambda/domain/snapshot.ts';
import { DynamoDbMemoryStore } from '../../../lambda/price-memory/memory-store.ts';
import { StoredPriceMemory } from '../../../lambda/price-memory/stored-price-memory.ts';
import { TICK_MS } from '../../../lambda/price-memory/ticks.ts';
import { SnapshotWriter } from '../../../lambda/snapshots/snapshot-writer.ts';
import type { LocalService } from '../../../local/local-service.ts';
import { type ServiceOptions, startService } from '../../../local/service.ts';
import { schemaValidator } from '../../support/schema-validator.ts';
import { testClient } from '../../support/test-table.ts';
import { sharedAssembly } from './shared-assembly.ts';

/** A test takes less than so many ticks of two minutes. */
const TICKS_OF_RUNS = 5;
const validate = schemaValidator();
const PATHS: readonly string[] = Object.values(ROUTES as Record<string, Route>)
  .filter((route) => methodsOf(route).includes('GET'))
  .map(({ path }) => path);

/** A response as a test looks at it. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of a body is what it asserts
  readonly json: any;
}

export interface TestServiceOptions {
  readonly upstream?: UpstreamOptions;
  readonly environment?: Readonly<Record<string, string>>;
  readonly service?: Partial<ServiceOptions>;
}

/** The whole service as `npm start` runs it, on a simulated upstream, with the schedule in the test's hands. */
export class TestService {
  readonly service: LocalService;
  readonly upstream: SimulatedUpstream;
  readonly logs: { level: string; message: string; keys: Readonly<Record<string, unknown>> }[] = [];
  readonly metrics: Readonly<Record<string, unknown>>[] = [];

  private constructor(service: LocalService, upstream: SimulatedUpstream) {
    this.service = service;
    this.upstream = upstream;
    service.on('log', (line) => this.logs.push(line));
    service.on('metric', ({ data }) => this.metrics.push(data));
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const assembly = await sharedAssembly(); // first: what fails here leaves nothing open
    const upstream = await startUpstream({ markets: 150, ...options.upstream });
    const environment = {
      ...perUrlVariable(() => upstream.url),
      ...options.environment,
    };
    const service = await startService({ assembly, schedule: false, ...options.service, environment });
    return new TestService(service, upstream);
  }

  /** Calls a path through the front door; every JSON response of the API is held against its document. */
  async call(path: string, init: RequestInit = {}): Promise<TestResponse> {
    const response = await fetch(`${this.service.url}${path}`, init);
    const text = await response.text();
    const isText = response.headers.get('content-type')?.startsWith('text/');
    const json = text === '' || isText ? undefined : JSON.parse(text);
    this.#check(path, init.method ?? 'GET', response, json);
    return { status: response.status, headers: response.headers, text, json };
  }

  /** Puts a snapshot into the table, as a refresh of the given age would have done. */
  async publish(entries: readonly SnapshotEntry[], ageSeconds = 0): Promise<string> {
    const { client, table } = this.#snapshots();
    const asOf = Date.now() - ageSeconds * 1_000;
    const id = snapshotId(asOf, Math.random);
    const writer = new SnapshotWriter({ client, table, now: () => asOf, keptSeconds: 3_600 });
    const counts = { skipped: 0, withOneDayChange: entries.length, cataloguePriced: 0 };
    await writer.publish({ id, asOf, entries, counts });
    client.destroy();
    return id;
  }

  /** Puts prices of a token into the price memory, as runs every two minutes until ten minutes ago would have done. */
  async remember(token: string, prices: readonly number[]): Promise<void> {
    const { client, table } = this.#snapshots();
    const store = new DynamoDbMemoryStore({ client, table, now: Date.now });
    const memory = new StoredPriceMemory({ store, random: Math.random });
    const now = Date.now();
    const deadline = now + 60_000;
    await memory.open(now, deadline);
    for (const [n, price] of prices.entries()) {
      // Before the ticks that runs of this test may have written: the first sample of a tick stays.
      const at = now - (prices.length - n + TICKS_OF_RUNS) * TICK_MS;
      if (!(await memory.keep(at, new Map([[token, price]]), deadline))) throw new Error('Not kept');
    }
    client.destroy();
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.upstream.close();
  }

  #snapshots() {
    const [table] = [...this.service.tables].find(([id]) => id.startsWith('Snapshots'))?.slice(1) ?? [];
    if (!table) throw new Error('No snapshot table');
    return { client: testClient(this.service.dynamodbUrl), table };
  }

  #check(path: string, method: string, response: Response, json: unknown): void {
    const { pathname } = new URL(path, this.service.url);
    if (json === undefined) return;
    if (response.headers.get('content-type') !== 'application/json; charset=utf-8') {
      throw new Error(`${path}: ${response.headers.get('content-type')}`);
    }
    const documented = method === 'GET' ? PATHS.find((known) => fits(known, pathname)) : undefined;
    // Responses outside of the document (unknown paths, other methods) have the shape of every error.
    const wrong = documented
      ? validate(documented, response.status, json)
      : validate('/api/status', 500, json);
    if (wrong.length > 0) throw new Error(`${method} ${path}: ${wrong.join('; ')}`);
  }
}

/** Whether a path of the route table, with its segments in braces, is that of a request. Literal paths come first there. */
function fits(known: string, pathname: string): boolean {
  return new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
}
