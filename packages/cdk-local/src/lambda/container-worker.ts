/** The thread of one container: loads the bundle and calls its handler, one invocation at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ContainerMessage, ContainerSettings, FunctionError, InvokeMessage } from './protocol.ts';

type Handler = (event: unknown, context: object) => unknown;

const settings: ContainerSettings = workerData;

function post(message: ContainerMessage): void {
  parentPort?.postMessage(message);
}

function describe(thrown: unknown): FunctionError {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: (thrown.stack ?? '').split('\n') };
}

/** Sent as messages, output keeps its order with the results; the thread's own streams would arrive later. */
function redirectOutput(stream: NodeJS.WriteStream): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    post({ kind: 'output', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8') });
    const callback = rest.find((argument) => typeof argument === 'function');
    callback?.();
    return true;
  };
}

async function loadHandler(): Promise<Handler> {
  const loaded: Record<string, unknown> = await import(settings.module);
  const handler = loaded[settings.handler];
  if (typeof handler !== 'function') {
    throw new TypeError(`${settings.handler} is not a function exported by ${settings.module}`);
  }
  return handler as Handler;
}

function contextOf({ requestId, deadline }: InvokeMessage): object {
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: settings.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: settings.functionArn,
    logGroupName: settings.logGroup,
    logStreamName: 'local/[$LATEST]',
    memoryLimitInMB: String(settings.memoryMb),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

async function invoke(handler: Handler, message: InvokeMessage): Promise<void> {
  process.env._X_AMZN_TRACE_ID = message.traceId;
  try {
    const result = await handler(JSON.parse(message.event), contextOf(message));
    post({ kind: 'result', payload: serialize(result) });
  } catch (thrown) {
    post({ kind: 'error', error: describe(thrown) });
  }
}

function serialize(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch (cause) {
    const error = new Error(`Unable to stringify response body: ${describe(cause).errorMessage}`, { cause });
    error.name = 'Runtime.MarshalError';
    throw error;
  }
}

redirectOutput(process.stdout);
redirectOutput(process.stderr);
try {
  const handler = await loadHandler();
  parentPort?.on('message', (message: InvokeMessage) => void invoke(handler, message));
  post({ kind: 'ready' });
} catch (thrown) {
  post({ kind: 'error', error: describe(thrown) });
}
