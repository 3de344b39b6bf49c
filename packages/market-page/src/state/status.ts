/** The state of the service (`/api/status`), and what the parts of the page derive from it. */
import type { Status } from 'market-data-proxy-client';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { client, useFailing } from './service.ts';
import { announceRecovery, useRead } from './use-read.ts';

/** The interval of the reads in a healthy state. */
const STATUS_MS = 60_000;
/** The interval of the reads while something fails. */
const STATUS_IN_TROUBLE_MS = 5_000;

/** Reads the state of the service, more often while something fails. For the whole page, once. */
export function useStatus(): Status | undefined {
  const failing = useFailing();
  // False while the service responds without fresh prices, which is no failure of a request.
  const [isOk, setOk] = useState(true);
  const everyMs = failing || !isOk ? STATUS_IN_TROUBLE_MS : STATUS_MS;
  const { value, error } = useRead('status', 'status', (signal) => client.status({ signal }), {
    everyMs,
  });
  const status = value?.data;
  const hasPrices =
    error === undefined && status !== undefined && !['empty', 'stale'].includes(status.status);
  useEffect(() => {
    setOk(hasPrices || status === undefined);
    if (hasPrices) announceRecovery();
  }, [hasPrices, status === undefined]);
  return status;
}

/** The state of the service; undefined until it has responded. */
export const StatusContext = createContext<Status | undefined>(undefined);

/** Whether `npm start` invented the data; undefined until the service has said so. */
export function useSimulated(): boolean | undefined {
  return useContext(StatusContext)?.simulated;
}

/** Whether the service leaves out smaller markets; undefined until it has said so. */
export function useIsCut(): boolean | undefined {
  return useContext(StatusContext)?.isCut ?? undefined;
}

/** How many of all markets have a known change. */
export interface KnownChanges {
  readonly known: number;
  readonly markets: number;
}

/**
 * The number of markets with a known change; undefined for the change over an hour, which the
 * service does not count, and until the service has responded.
 *
 * @param field of the change
 */
export function useKnownChanges(field: string | undefined): KnownChanges | undefined {
  const status = useContext(StatusContext);
  if (!status || status.markets === null || field === undefined) return undefined;
  const counts: Readonly<Record<string, number | null>> = {
    oneDayPriceChange: status.marketsWithOneDayChange,
    sevenDayPriceChange: status.marketsWithSevenDayChange,
    thirtyDayPriceChange: status.marketsWithThirtyDayChange,
  };
  const known = counts[field] ?? undefined;
  return known === undefined ? undefined : { known, markets: status.markets };
}
