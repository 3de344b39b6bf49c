import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Runs the work of one request; what it logs along the way can name the request. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** The request on whose behalf the code runs; undefined outside of any. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
