import { Worker } from 'node:worker_threads';
import { codeOf, messageOf } from '../error-message.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { ContainerMessage, ContainerSettings, FunctionError, InvokeMessage } from './protocol.ts';

export type Outcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly error: FunctionError };

/** Lambda gives a function ten seconds to load. */
const INIT_TIMEOUT_MS = 10_000;
const ENTRY = new URL('./container-worker.ts', import.meta.url);

/** One execution environment of a function: a thread of its own with its own heap, environment and modules. */
export class Container {
  readonly #definition: FunctionDefinition;
  readonly #onLine: (line: string) => void;
  readonly #onExit: () => void;
  #worker: Worker | undefined;
  #settle: ((outcome: Outcome | 'ready') => void) | undefined;
  #partialLine = '';

  /** @param onExit called when the thread has ended, for whatever reason: the container is of no use any more */
  constructor(definition: FunctionDefinition, onLine: (line: string) => void, onExit: () => void) {
    this.#definition = definition;
    this.#onLine = onLine;
    this.#onExit = onExit;
  }

  /** Whether it can take an invocation. */
  get alive(): boolean {
    return this.#worker !== undefined;
  }

  /** Loads the bundle. An error is the reason why the function could not be initialised. */
  async start(): Promise<FunctionError | undefined> {
    const loading = this.#nextOutcome(INIT_TIMEOUT_MS);
    try {
      this.#worker = this.#spawn();
    } catch (error) {
      this.#fail('Runtime.Unknown', messageOf(error));
    }
    const outcome = await loading;
    if (outcome === 'ready') return undefined;
    await this.terminate();
    return outcome.ok ? undefined : outcome.error;
  }

  async invoke(requestId: string, event: string, traceId: string): Promise<Outcome> {
    const { timeoutMs } = this.#definition;
    const ended = this.#nextOutcome(timeoutMs);
    const message: InvokeMessage = { requestId, event, traceId, deadline: Date.now() + timeoutMs };
    this.#worker?.postMessage(message);
    const outcome = await ended;
    if (outcome === 'ready')
      return { ok: false, error: { errorType: 'Runtime.Unknown', errorMessage: 'started twice' } };
    return outcome;
  }

  async terminate(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #spawn(): Worker {
    const { module, handler, name, arn, memoryMb, environment } = this.#definition;
    const workerData: ContainerSettings = {
      module,
      handler,
      functionName: name,
      functionArn: arn,
      memoryMb,
      logGroup: environment.AWS_LAMBDA_LOG_GROUP_NAME ?? '',
    };
    const worker = new Worker(ENTRY, {
      workerData,
      env: environment,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      stdout: true,
      stderr: true,
    });
    worker.on('message', (message: ContainerMessage) => this.#receive(message));
    worker.on('error', (error) => this.#crash(...crashOf(error, memoryMb)));
    worker.once('exit', (code) => {
      this.#worker = undefined;
      this.#fail('Runtime.ExitError', `Runtime exited with error: exit status ${code}`);
      this.#onExit();
    });
    // What does not pass through process.stdout and process.stderr of the thread, Node's own warnings for one.
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.#print(text));
    }
    return worker;
  }

  #receive(message: ContainerMessage): void {
    if (message.kind === 'output') this.#print(message.text);
    else if (message.kind === 'ready') this.#settle?.('ready');
    else if (message.kind === 'result') this.#settle?.({ ok: true, payload: message.payload });
    else this.#settle?.({ ok: false, error: message.error });
  }

  #print(text: string): void {
    const lines = `${this.#partialLine}${text}`.split('\n');
    this.#partialLine = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.#onLine(line);
  }

  /** A crash between invocations fails none of them, and is told all the same. */
  #crash(errorType: string, errorMessage: string): void {
    if (this.#settle === undefined) {
      const message = 'The container crashed between invocations';
      this.#onLine(JSON.stringify({ level: 'ERROR', message, errorType, errorMessage }));
    }
    this.#fail(errorType, errorMessage);
    void this.terminate(); // it is ending, and takes no invocation until it has
  }

  #fail(errorType: string, errorMessage: string): void {
    this.#settle?.({ ok: false, error: { errorType, errorMessage } });
  }

  /** What the thread says next, or its end, or `ms` gone by: then the container is ended. */
  #nextOutcome(ms: number): Promise<Outcome | 'ready'> {
    const { promise, resolve } = Promise.withResolvers<Outcome | 'ready'>();
    const timer = setTimeout(() => {
      this.#fail('Sandbox.Timedout', `Task timed out after ${(ms / 1_000).toFixed(2)} seconds`);
      void this.terminate();
    }, ms);
    this.#settle = (outcome) => {
      this.#settle = undefined;
      clearTimeout(timer);
      resolve(outcome);
    };
    return promise;
  }
}

function crashOf(error: unknown, memoryMb: number): [string, string] {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    ? ['Runtime.OutOfMemory', `Out of memory: the function has ${memoryMb} MB`]
    : ['Runtime.UnhandledError', messageOf(error)];
}
