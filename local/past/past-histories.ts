import { HOUR_MS, SECOND_MS, toUnixSeconds, type UnixMs } from '../../lambda/core/domain/time.ts';
import { type Clock, sleep } from '../../lambda/io/platform/clock.ts';
import type { HistorySource } from '../../lambda/io/polymarket/history-sources.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { PastMarket } from './past-list.ts';

/** The whole life of a market, in the finest buckets that upstream stores forever. */
const SPAN = { kind: 'interval', interval: 'max', fidelity: 180 } as const;
const BUCKET_MS = 3 * HOUR_MS;
/** No market has this token. Its empty history shows that the route responds. */
const UNKNOWN_TOKEN = '1';
/** As many as the route allows at once (`lambda/io/upstream/upstreams.ts`). */
const CALLS_AT_ONCE = 8;
/** For one series of attempts. */
const DEADLINE_MS = 60 * SECOND_MS;
const PAUSE_MS = 5 * SECOND_MS;
/** A token is at fault if the route responds after each of so many failed series. */
const MAX_FAILURES = 2;

interface HistoryReader {
  readonly source: Pick<HistorySource, 'read'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly onRead: () => void;
}

/**
 * Reads the histories that the journal lacks, several at once, and waits while upstream is away.
 */
export async function readPastHistories(
  asOf: UnixMs,
  markets: readonly PastMarket[],
  reader: HistoryReader,
): Promise<void> {
  const unread = markets.filter(({ market }) => !reader.journal.get(market.clobTokenId)).values();
  const worker = async (): Promise<void> => {
    for (const one of unread) {
      reader.journal.add(await readOne(asOf, one, reader));
      reader.onRead();
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
}

async function readOne(
  asOf: UnixMs,
  { market, isListed, payout }: PastMarket,
  { source, clock }: HistoryReader,
): Promise<JournalEntry> {
  const token = market.clobTokenId;
  const read = (wanted: string, retries: number) =>
    source.read([wanted], SPAN, { deadline: clock.now() + DEADLINE_MS, retries });
  const responds = (): Promise<boolean> =>
    read(UNKNOWN_TOKEN, 0).then(
      () => true,
      () => false,
    );
  for (let failures = 0; ; await sleep(clock, PAUSE_MS)) {
    try {
      const points = (await read(token, 5)).get(token) ?? [];
      // The last buckets of an open market can still change.
      const until = isListed ? toUnixSeconds(asOf - BUCKET_MS) : Number.POSITIVE_INFINITY;
      const kept = points.filter(({ t, payout: isPayout }) => !isPayout && t <= until);
      const isFinal = payout !== undefined && kept.length > 0;
      const times = kept.map(({ t }) => t);
      return { token, asOf, isFinal, times, prices: kept.map(({ p }) => p) };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.isRejection || (await responds())) failures += 1;
      if (failures === MAX_FAILURES)
        return { token, asOf, isFinal: false, times: [], prices: [], failure: error.message };
    }
  }
}
