import { ApiError } from 'market-data-proxy-client';
import { useEffect, useState } from 'preact/hooks';
import { currentWeather, onWeather, type Weather } from '../state/api.ts';
import { useNow } from '../state/use-now.ts';
import { mayPass, RETRY_MS } from '../state/use-pages.ts';

export function useWeather(): Weather {
  const [weather, setWeather] = useState(currentWeather);
  useEffect(() => onWeather(setWeather), []);
  return weather;
}

/** What stands in the way, in a sentence, and what becomes of it. */
export function Notices({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  const now = useNow(1_000);
  const { waitsUntil, requestsAllowed } = useWeather();
  const online = useOnline();
  const seconds = Math.ceil((waitsUntil - now) / 1_000);
  if (!online) return <Notice kind="offline">You are offline. What is shown stays as it was.</Notice>;
  if (seconds > 0)
    return (
      <Notice kind="429">
        {/* The seconds alone would be read out one by one. */}
        The limit of {requestsAllowed ?? 60} requests a minute is reached. The page goes on by itself in{' '}
        <span aria-live="off">{seconds}&nbsp;s</span>.
      </Notice>
    );
  if (error === undefined) return null;
  return (
    <Notice kind={ApiError.is(error) ? String(error.status) : 'network'}>
      {sentenceOf(error)} {mayPass(error) && `The page tries again every ${RETRY_MS / 1_000}\u00a0s.`}
      <button type="button" class="small" onClick={again}>
        Try again
      </button>
    </Notice>
  );
}

export function Notice({
  kind,
  children,
}: {
  readonly kind: string;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <p class="notice" role="alert" data-kind={kind}>
      {children}
    </p>
  );
}

/** The service explains itself; only what never reached it needs words of our own. */
export function sentenceOf(error: unknown): string {
  return ApiError.is(error) ? error.message : 'The service cannot be reached.';
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return online;
}
