import type { Invocation, LambdaFunction } from './lambda-function.ts';

/** Lambda waits a minute before the second attempt and two before the third. */
const RETRY_DELAYS_MS = [60_000, 120_000];

export interface AsyncOptions {
  readonly retryDelaysMs?: readonly number[];
  /** Ends the waiting between attempts. */
  readonly signal: AbortSignal;
  /** Gets every attempt that failed; `final` says that there will not be another. */
  readonly onFailure: (invocation: Invocation & { ok: false }, final: boolean) => void;
}

/** An invocation of type Event: attempted again as the function's EventInvokeConfig says. Gives the last attempt. */
export async function invokeAsynchronously(
  target: LambdaFunction,
  event: string,
  options: AsyncOptions,
): Promise<Invocation> {
  const { asyncRetries, asyncMaxAgeMs } = target.definition;
  const delays = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const received = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    const invocation = await target.invoke(event);
    if (invocation.ok) return invocation;
    const delayMs = delays[Math.min(attempt, delays.length - 1)] ?? 0;
    const tooOld = Date.now() + delayMs - received > asyncMaxAgeMs;
    const final = attempt >= asyncRetries || tooOld || options.signal.aborted;
    options.onFailure(invocation, final);
    if (final) return invocation;
    await sleep(delayMs, options.signal);
    if (options.signal.aborted) return invocation;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', wake, { once: true });
  });
}
