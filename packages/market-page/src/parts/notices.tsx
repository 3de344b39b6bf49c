import { ApiError, type Status } from 'market-data-proxy-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useRateLimitState } from '../state/api.ts';
import { useNow } from '../state/use-now.ts';
import { isEmpty, isTemporary, RETRY_MS } from '../state/use-pages.ts';

/** Why the list is not current, and what the page does about it. */
export function Notices(props: {
  readonly error: unknown;
  readonly status: Status | undefined;
  readonly again: () => void;
}) {
  const { error, status, again } = props;
  const now = useNow(1_000);
  const { waitsUntil, requestsAllowed } = useRateLimitState();
  const online = useOnline();
  const seconds = Math.ceil((waitsUntil - now) / 1_000);
  if (!online) return <Notice kind="offline">You are offline. The page keeps the last data.</Notice>;
  if (seconds > 0)
    return (
      <Notice kind="429">
        {/* A screen reader would read every second. */}
        The limit of {requestsAllowed ?? 60} requests a minute is reached. The page continues in{' '}
        <span aria-live="off">{seconds}&nbsp;s</span>.
      </Notice>
    );
  if (error === undefined) return null;
  if (isEmpty(error))
    return (
      <Notice kind="empty">{status?.reason ?? sentenceOf(error)} The page continues as soon as there is data.</Notice>
    );
  return (
    <Notice kind={ApiError.is(error) ? String(error.status) : 'network'}>
      {sentenceOf(error)} {isTemporary(error) && `The page tries again every ${RETRY_MS / 1_000}\u00a0s.`}
      <button type="button" class="small" onClick={again}>
        Try again
      </button>
    </Notice>
  );
}

export function Notice({ kind, children }: { readonly kind: string; readonly children: ComponentChildren }) {
  return (
    <p class="notice" role="alert" data-kind={kind}>
      {children}
    </p>
  );
}

/** The sentence of the service; without a response, one of our own. */
export function sentenceOf(error: unknown): string {
  return ApiError.is(error) ? error.message : 'The service does not respond.';
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  return online;
}
