import { randomUUID } from 'node:crypto';
import { Container, type Outcome } from './container.ts';
import type { FunctionDefinition } from './function-definition.ts';

export type Invocation = Outcome & { readonly requestId: string; readonly durationMs: number };

export interface LambdaFunctionOptions {
  /** Most containers at once; further invocations wait for one. @default 4 */
  readonly maxContainers?: number;
  /** Gets every line that the function writes. */
  readonly onLine: (line: string) => void;
}

const MAX_CONTAINERS = 4;

/** A function and its containers, each with one invocation at a time. */
export class LambdaFunction {
  readonly definition: FunctionDefinition;
  readonly #maxContainers: number;
  readonly #onLine: (line: string) => void;
  readonly #containers = new Set<Container>();
  readonly #idle: Container[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Places for containers that are taken by an invocation or by one about to start. */
  #busy = 0;
  #closed = false;

  constructor(definition: FunctionDefinition, options: LambdaFunctionOptions) {
    this.definition = definition;
    this.#maxContainers = options.maxContainers ?? MAX_CONTAINERS;
    this.#onLine = options.onLine;
  }

  /** Containers that are loaded at this moment. */
  get containers(): number {
    return this.#containers.size;
  }

  /** Invokes with an event as JSON text. Never rejects: a failure of any kind is an outcome. */
  async invoke(event: string, traceId = newTraceId()): Promise<Invocation> {
    const requestId = randomUUID();
    if (this.#busy >= this.#maxContainers) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#busy += 1;
    }
    const started = performance.now();
    const outcome = await this.#run(requestId, event, traceId);
    // The place goes straight to the next in the queue, so that nobody slips in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#busy -= 1;
    else next();
    return { ...outcome, requestId, durationMs: performance.now() - started };
  }

  /** Ends its containers, whatever they are doing, as Lambda may at any time; the next invocation starts another. */
  async kill(): Promise<void> {
    await Promise.all([...this.#containers].map((container) => container.terminate()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.kill();
  }

  async #run(requestId: string, event: string, traceId: string): Promise<Outcome> {
    if (this.#closed)
      return { ok: false, error: { errorType: 'Local.Stopped', errorMessage: 'The service is stopping' } };
    const container = this.#takeIdle() ?? this.#create();
    if (!container.alive) {
      const error = await container.start();
      if (error !== undefined) return { ok: false, error };
    }
    const outcome = await container.invoke(requestId, event, traceId);
    if (container.alive) this.#idle.push(container);
    return outcome;
  }

  /** The one used last: the others may stay cold, as in Lambda. */
  #takeIdle(): Container | undefined {
    for (;;) {
      const container = this.#idle.pop();
      if (container === undefined || container.alive) return container;
    }
  }

  #create(): Container {
    const container = new Container(this.definition, this.#onLine, () => this.#containers.delete(container));
    this.#containers.add(container);
    return container;
  }
}

/** An X-Ray trace id as it stands in `X-Amzn-Trace-Id`. */
export function newTraceId(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomUUID().replaceAll('-', '').slice(0, 24)};Sampled=0`;
}
