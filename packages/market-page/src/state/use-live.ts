import { ApiError } from 'market-data-proxy-client';
import { useEffect } from 'preact/hooks';
import type { List } from './list.ts';
import { changedPage } from './patch.ts';
import { client } from './service.ts';
import { useRead } from './use-read.ts';

/** The service reads prices once a minute. */
const POLL_MS = 60_000;

/** Rows keep order and number, so that none moves under the pointer. */
export function useLive({ page, state, patch, again }: List): void {
  const since = (state === 'ready' && page && page.markets.length > 0 && page.snapshot) || '';
  const { value } = useRead('updates', since, (signal) => readChanges(since, signal), {
    everyMs: POLL_MS,
    later: true,
    while: since !== '',
  });
  useEffect(() => {
    if (value === null) again();
    else if (value) patch((current) => ({ ...changedPage(current, value.data), asOf: value.asOf }));
  }, [value]);
}

/** @returns null if the snapshot has expired, for example while a laptop was closed */
function readChanges(since: string, signal: AbortSignal) {
  return client.changes(since, { signal }).catch((error: unknown) => {
    if (ApiError.is(error, 'snapshot_gone')) return null;
    throw error;
  });
}
