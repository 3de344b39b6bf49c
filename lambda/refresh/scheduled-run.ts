import type { RunKind } from '../contract/run-kind.ts';
import type { Clock } from '../platform/clock.ts';
import { refreshPrices } from './price-run.ts';
import { type RefreshDependencies, type RefreshResult, refresh } from './refresh.ts';

export type Settled<T> = { readonly result: T } | { readonly error: unknown };

/** What a run did, and how each of it ended. */
export interface ScheduledRun {
  readonly full?: Settled<RefreshResult>;
  readonly prices?: Settled<RefreshResult>;
}

/**
 * How long a full run may take to its prices before it publishes prices alone: twice as long as one of 10,000 markets.
 * The prices before it are a minute old then, and the next price run is half a minute away.
 */
const LATE_MS = 30_000;

/**
 * A run of a kind. A price run without a snapshot that it could start from does what a full one does. A full run that is
 * late, or publishes nothing, since the catalogue cannot be read or not be believed, publishes new prices of the markets
 * that are known: else those would come every other minute only, and readers would see some that are two minutes old.
 *
 * @param end absolute ms at which the run must be over
 * @param onResult told as soon as a part has ended without an error: prices may be published long before a full run ends
 */
export async function scheduledRun(
  kind: RunKind,
  dependencies: RefreshDependencies,
  end: number,
  onResult: (kind: RunKind, result: RefreshResult) => void = () => undefined,
): Promise<ScheduledRun> {
  const newPrices = async (own: RefreshDependencies) => {
    const prices = await readPrices(own, end);
    if (prices && 'result' in prices) onResult('prices', prices.result);
    return prices;
  };
  const first = kind === 'prices' ? await newPrices(dependencies) : undefined;
  if (first) return { prices: first };
  let atPrices = false;
  const onPrices = () => {
    atPrices = true;
  };
  const running = settled(refresh({ ...dependencies, onPrices }, end));
  // The memory of prices is under way with the full run.
  const { memory: _busy, ...others } = dependencies;
  const late = await isLate(running, dependencies.clock);
  const early = late && !atPrices ? newPrices(others) : undefined;
  const full = await running;
  if ('result' in full) onResult('full', full.result);
  const published = 'result' in full && full.result.outcome !== 'shrunk';
  const prices = await (early ?? (published ? undefined : newPrices(dependencies)));
  return prices ? { full, prices } : { full };
}

async function isLate(running: Promise<unknown>, clock: Clock): Promise<boolean> {
  let cancel = () => {};
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(LATE_MS, () => resolve(true));
  });
  const result = await Promise.race([running.then(() => false), late]);
  cancel();
  return result;
}

/** @returns undefined where there is no snapshot whose prices could be read anew */
async function readPrices(
  dependencies: RefreshDependencies,
  end: number,
): Promise<Settled<RefreshResult> | undefined> {
  const prices = await settled(refreshPrices(dependencies, end));
  if ('error' in prices) return prices;
  const { result } = prices;
  return result && { result };
}

async function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { result: await work };
  } catch (error) {
    return { error };
  }
}
