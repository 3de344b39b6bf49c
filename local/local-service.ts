import type { EventEmitter } from 'node:events';
import type {
  ApiDefinition,
  Database,
  FunctionFleet,
  Invocation,
  Listener,
  ScheduleDefinition,
  Stack,
} from 'cdk-local';
import type { Cleanup } from './cleanup.ts';
import type { RefreshRunner } from './refresh-runner.ts';
import type { RefreshOutcome, ServiceEvents } from './service-events.ts';

export interface ServiceParts {
  /** Where callers begin. */
  readonly outer: Listener;
  /** Serves the API itself; the same listener where there is no front door. */
  readonly inner: Listener;
  /** What callers have to send where there is no front door. */
  readonly publicKey: string | undefined;
  readonly stack: Stack;
  readonly api: ApiDefinition;
  readonly database: Database;
  readonly functions: FunctionFleet;
  readonly refresher: RefreshRunner;
  readonly schedule: ScheduleDefinition;
  readonly events: EventEmitter<ServiceEvents>;
  readonly cleanup: Cleanup;
}

/** The running service. It prints nothing: whoever wants to know listens to its events. */
export class LocalService {
  /** Where callers begin, without a slash at the end: the front door, or without one the API itself. */
  readonly url: string;
  /** The key that callers have to send; undefined where the front door sends it. */
  readonly publicKey: string | undefined;
  /** Around the front door, with the stage, without a slash at the end. Needs a key. */
  readonly apiUrl: string;
  /** The template, as if deployed. */
  readonly stack: Stack;
  readonly api: ApiDefinition;
  /** Values of the API keys, by name, logical id and id. */
  readonly apiKeys: ReadonlyMap<string, string>;
  readonly dynamodbUrl: string;
  /** Table names by logical id. */
  readonly tables: ReadonlyMap<string, string>;
  readonly functions: FunctionFleet;
  readonly refreshIntervalMs: number;
  /** What the template's schedule says, whatever the service was started with. */
  readonly scheduleIntervalMs: number;
  /** The run that was begun at the start; `undefined` without a schedule. */
  readonly firstRefresh: Promise<RefreshOutcome> | undefined;
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts, schedule: boolean | number) {
    const { outer, inner, publicKey, stack, api, database, functions } = parts;
    this.#parts = parts;
    this.apiUrl = `http://${inner.authority}/${api.stage.name}`;
    this.url = publicKey === undefined ? `http://${outer.authority}` : this.apiUrl;
    this.publicKey = publicKey;
    this.stack = stack;
    this.api = api;
    this.apiKeys = new Map(
      api.keys.flatMap(({ id, logicalId, name, value }) =>
        [id, logicalId, ...(name === undefined ? [] : [name])].map((label) => [label, value] as const),
      ),
    );
    this.dynamodbUrl = database.url;
    this.tables = database.tables;
    this.functions = functions;
    this.scheduleIntervalMs = parts.schedule.intervalMs;
    this.refreshIntervalMs = typeof schedule === 'number' ? schedule * 1_000 : parts.schedule.intervalMs;
    this.firstRefresh = schedule === false ? undefined : parts.refresher.start(this.refreshIntervalMs);
  }

  /** Invokes a function with an event, as `aws lambda invoke` does. Never rejects because the function fails. */
  invoke(functionIdOrName: string, event: unknown): Promise<Invocation> {
    return this.functions.find(functionIdOrName).invoke(JSON.stringify(event));
  }

  /** Runs the scheduled function once, now. */
  refresh(): Promise<RefreshOutcome> {
    return this.#parts.refresher.run();
  }

  on<Name extends keyof ServiceEvents>(name: Name, listener: (...event: ServiceEvents[Name]) => void): this {
    this.#parts.events.on(name, listener as never);
    return this;
  }

  off<Name extends keyof ServiceEvents>(name: Name, listener: (...event: ServiceEvents[Name]) => void): this {
    this.#parts.events.off(name, listener as never);
    return this;
  }

  /** Stops everything that was started, at once. */
  close(): Promise<void> {
    return this.#parts.cleanup.run();
  }
}
