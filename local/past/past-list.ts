import { paddedConditionId } from '../../lambda/core/domain/ids.ts';
import type { CatalogueMarket } from '../../lambda/core/domain/market.ts';
import { readInstant } from '../../lambda/core/domain/moment.ts';
import type { UnixMs } from '../../lambda/core/domain/time.ts';
import { fieldIf, inGroups } from '../../lambda/core/domain/values.ts';
import {
  CLOSED_BATCH_CONDITIONS,
  type ClosedMarkets,
  type ClosedRecord,
} from '../../lambda/io/polymarket/closed-markets.ts';
import type { GammaCatalogue } from '../../lambda/io/polymarket/gamma-catalogue.ts';
import {
  isResolvedStatus,
  RESOLUTIONS_BATCH_CONDITIONS,
  type Resolution,
  type Resolutions,
} from '../../lambda/io/polymarket/resolutions.ts';
import type { CallLimits } from '../../lambda/io/upstream/client.ts';
import { UpstreamError } from '../../lambda/io/upstream/upstream-error.ts';

export interface PastMarket {
  readonly market: CatalogueMarket;
  readonly isListed: boolean;
  readonly closedAt?: UnixMs;
  /** What a share of YES pays, 0 to 1. */
  readonly payout?: number;
  readonly resolvedAt?: UnixMs;
  /** It is in no list of the run, but an earlier run has read it. */
  readonly isKept?: true;
}

/** A part of a market that the files lack. `id` is empty if the record has none. */
export interface MissingPart {
  readonly id: string;
  readonly part: 'market' | 'payout' | 'prices';
  readonly reason: string;
}

/**
 * The markets of a run. A run reads them once, at its start, so that a resumed run ends as one
 * without interruption.
 */
export interface PastList {
  readonly asOf: UnixMs;
  /** How many closed markets the user requested. */
  readonly requested: number;
  /** By ascending id; each market once. */
  readonly markets: readonly PastMarket[];
  readonly missing: readonly MissingPart[];
  readonly calls: Readonly<Record<'markets-keyset' | 'v2-resolutions', number>>;
}

/** Repeats the work while the upstream is away. */
export type Patiently = <T>(work: (limits: CallLimits) => Promise<T>) => Promise<T>;

interface PastSources {
  readonly catalogue: Pick<GammaCatalogue, 'page'>;
  readonly closed: Pick<ClosedMarkets, 'page' | 'byIds'>;
  readonly resolutions: Pick<Resolutions, 'read'>;
  readonly patiently: Patiently;
}

/** Reads the markets of a run: lists, then the payouts of the closed ones. */
export class PastListReader {
  readonly #sources: PastSources;
  readonly #markets = new Map<string, PastMarket>();
  readonly #missing = new Map<string, MissingPart>();
  readonly #calls = { 'markets-keyset': 0, 'v2-resolutions': 0 };

  constructor(sources: PastSources) {
    this.#sources = sources;
  }

  get markets(): number {
    return this.#markets.size;
  }

  /**
   * @param requested how many closed markets, by volume
   * @param maxListed how many open markets, by volume
   * @param before the markets of an earlier run; they stay
   * @throws UpstreamError unless upstream is only away
   */
  async read(
    asOf: UnixMs,
    { requested, maxListed }: Readonly<Record<'requested' | 'maxListed', number>>,
    before: readonly PastMarket[],
  ): Promise<PastList> {
    await this.#readClosed(requested);
    await this.#readListed(this.#markets.size + maxListed);
    await this.#readEarlier(before.filter(({ market }) => !this.#markets.has(keyOf(market))));
    await this.#readPayouts();
    const markets = [...this.#markets].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      asOf,
      requested,
      markets: markets.map(([, market]) => market),
      missing: [...this.#missing.values()],
      calls: this.#calls,
    };
  }

  async #readClosed(count: number): Promise<void> {
    const { closed, patiently } = this.#sources;
    await this.#readPages(count, async (cursor) => {
      const page = await patiently((limits) => closed.page(cursor, limits));
      this.#addClosed(page.records, count);
      return page.nextCursor;
    });
  }

  async #readListed(count: number): Promise<void> {
    const { catalogue, patiently } = this.#sources;
    await this.#readPages(count, async (cursor) => {
      const page = await patiently(({ deadline }) => catalogue.page(cursor, deadline));
      for (const record of page.records) {
        if (record.kind !== 'listable' || this.#markets.size >= count) continue;
        if (!this.#markets.has(record.id))
          this.#markets.set(record.id, { market: record.market, isListed: true });
      }
      return page.nextCursor;
    });
  }

  /** Until there are enough markets, or a page has no cursor or no new market. */
  async #readPages(
    count: number,
    readPage: (cursor: string | undefined) => Promise<string | undefined>,
  ): Promise<void> {
    let cursor: string | undefined;
    let known: number;
    do {
      known = this.#markets.size + this.#missing.size;
      cursor = await readPage(cursor);
      this.#calls['markets-keyset'] += 1;
    } while (
      cursor !== undefined &&
      this.#markets.size < count &&
      this.#markets.size + this.#missing.size > known
    );
  }

  async #readEarlier(before: readonly PastMarket[]): Promise<void> {
    const { closed, patiently } = this.#sources;
    for (const group of inGroups(before, CLOSED_BATCH_CONDITIONS)) {
      const ids = group.map(({ market }) => market.id);
      const records = await patiently((limits) => closed.byIds(ids, limits));
      this.#calls['markets-keyset'] += 1;
      this.#addClosed(records.filter(({ found }) => 'market' in found));
    }
    // A market that Gamma has in neither list stays as it was.
    for (const one of before) {
      const key = keyOf(one.market);
      this.#markets.set(key, { ...(this.#markets.get(key) ?? one), isKept: true });
    }
  }

  #addClosed(records: readonly ClosedRecord[], count = Number.POSITIVE_INFINITY): void {
    for (const { id, found } of records) {
      const key = paddedConditionId(id);
      if (this.#markets.has(key) || this.#markets.size >= count) continue;
      if ('reason' in found) {
        this.#missing.set(key, { id, part: 'market', reason: found.reason });
        continue;
      }
      const closedAt = readInstant(found.closedAt ?? '');
      const { market } = found;
      this.#markets.set(key, { market, isListed: false, ...fieldIf('closedAt', closedAt) });
    }
  }

  async #readPayouts(): Promise<void> {
    const { resolutions, patiently } = this.#sources;
    const closed = [...this.#markets].filter(([, { isListed }]) => !isListed);
    for (const group of inGroups(closed, RESOLUTIONS_BATCH_CONDITIONS)) {
      const ids = group.map(([id]) => id);
      let reason = 'not_resolved';
      const found = await patiently((limits) => resolutions.read(ids, limits)).catch((error) => {
        if (!(error instanceof UpstreamError)) throw error;
        reason = error.message;
        return new Map<string, Resolution>();
      });
      this.#calls['v2-resolutions'] += 1;
      for (const [id, { payout: _, resolvedAt: _time, ...one }] of group) {
        const paid = payoutOf(one.market, found.get(id));
        this.#markets.set(id, { ...one, ...paid });
        if (!paid) this.#missing.set(id, { id: one.market.id, part: 'payout', reason });
      }
    }
  }
}

const keyOf = ({ id }: CatalogueMarket): string => paddedConditionId(id);

function payoutOf(
  { outcomes, clobTokenId }: CatalogueMarket,
  resolution: Resolution | undefined,
): Pick<PastMarket, 'payout' | 'resolvedAt'> | undefined {
  const yes = outcomes.findIndex(({ tokenId }) => tokenId === clobTokenId);
  const payout = resolution?.payouts?.[yes];
  if (payout === undefined || !isResolvedStatus(resolution?.status)) return undefined;
  return { payout, ...fieldIf('resolvedAt', resolution?.resolvedAt) };
}
