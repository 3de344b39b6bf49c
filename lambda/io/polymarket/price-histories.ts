import type { PricePoint } from '../../core/domain/change.ts';
import type { HistorySpan } from '../../core/domain/history-plan.ts';
import { hasPositionLayout } from '../../core/domain/ids.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import {
  clobBatchSource,
  clobSingleSource,
  dataSource,
  type Histories,
  type HistorySource,
} from './history-sources.ts';

/**
 * A failed source comes last for this long, so that a dead route does not use up each read's time.
 */
const FAILED_RECENTLY_MS = 15_000;
/** The share of the remaining time that a source may use, unless it is the last one. */
const SHARE_OF_TIME = 0.5;
/** The retries of a background read. */
const RETRIES = { retries: 5, timeoutRetries: 1 } as const;
/**
 * The retries of a read while a caller waits. One is better than one call per token to the next
 * route.
 */
const LIVE_RETRIES = { retries: 1, timeoutRetries: 0 } as const;

/** What is read, of whichever tokens. */
interface ReadRequest {
  readonly span: HistorySpan;
  /** False for markets that may be resolved, which CLOB lacks. */
  readonly areListed: boolean;
}

/** What the sources have returned so far. */
interface Reading extends ReadRequest {
  readonly found: Map<string, readonly PricePoint[]>;
  /** Tokens without points in an unreliable response. */
  readonly empty: Set<string>;
}

/**
 * Reads price histories from the first source that has them. The next source reads what failed or
 * came back empty from CLOB.
 */
export class PriceHistories {
  readonly #clock: Clock;
  readonly #sources: Readonly<Record<'batch' | 'single' | 'data', HistorySource>>;
  readonly #failedAt = new Map<HistorySource, UnixMs>();

  constructor({
    clob,
    data,
    clock,
  }: { readonly clob: Upstream; readonly data: Upstream; readonly clock: Clock }) {
    this.#clock = clock;
    this.#sources = {
      batch: clobBatchSource(clob),
      single: clobSingleSource(clob),
      data: dataSource(data, clock.now),
    };
  }

  /**
   * Reads histories of tokens of open markets, for background jobs.
   *
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @param deadline a route that hangs leaves time for the next one
   * @returns histories by token; empty if upstream has no prices, absent if unreadable
   * @throws UpstreamError if none could be read
   */
  read(tokens: readonly string[], span: HistorySpan, deadline: UnixMs): Promise<Histories> {
    const { batch, single, data } = this.#sources;
    return this.#readFrom(
      [batch, single, data],
      tokens,
      { deadline, ...RETRIES },
      { span, areListed: true },
    );
  }

  /**
   * Reads histories of any tokens while a caller waits: at most one call to CLOB, and one to the
   * Data API for each token. An empty history from CLOB does not count, because CLOB has no
   * resolved markets.
   *
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @returns as `read`
   * @throws UpstreamError if none could be read
   */
  readLive(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<Histories> {
    const { batch, single, data } = this.#sources;
    const clob = tokens.length > 1 ? batch : single;
    // CLOB's "max" covers 31 days, and its single-token route is cached.
    const isLife = span.kind === 'interval' && span.interval === 'max';
    const sources = isLife ? [data] : span.kind === 'window' ? [data, clob] : [clob, data];
    const retries = tokens.length > 1 ? LIVE_RETRIES : {};
    return this.#readFrom(sources, tokens, { ...retries, ...limits }, { span, areListed: false });
  }

  /** Each source reads what the sources before it lack. */
  async #readFrom(
    sources: readonly HistorySource[],
    tokens: readonly string[],
    limits: CallLimits,
    request: ReadRequest,
  ): Promise<Histories> {
    const reading: Reading = { ...request, found: new Map(), empty: new Set() };
    const { found, empty } = reading;
    const errors: (UpstreamError | undefined)[] = [];
    for (const [n, source] of this.#failedLast(sources).entries()) {
      const unread = tokens.filter((token) => !found.has(token));
      const left = limits.deadline - this.#clock.now();
      if (unread.length === 0 || left <= 0) break;
      const share = n === sources.length - 1 ? 1 : SHARE_OF_TIME;
      const deadline = limits.deadline - left * (1 - share);
      errors.push(await this.#readSource(source, unread, { ...limits, deadline }, reading));
    }
    for (const token of empty) if (!found.has(token)) found.set(token, []);
    if (found.size > 0) return found;
    throw (
      errors.find(Boolean) ?? new UpstreamError({ route: 'prices-history', failure: 'timeout' })
    );
  }

  /**
   * Makes one call at a time until one shows that the route responds, then all others at once. A
   * response of CLOB without any point is not reliable.
   *
   * @returns the first error
   */
  async #readSource(
    source: HistorySource,
    tokens: readonly string[],
    limits: CallLimits,
    { span, areListed, found, empty }: Reading,
  ): Promise<UpstreamError | undefined> {
    const readGroup = async (group: readonly string[]): Promise<UpstreamError | undefined> => {
      try {
        const histories = await source.read(group, span, limits);
        const hasPoints = [...histories.values()].some((points) => points.length > 0);
        for (const [token, points] of histories) {
          const isKnown = areListed && !hasPositionLayout(token);
          if (points.length > 0 || source.isComplete || (hasPoints && isKnown))
            found.set(token, points);
          else if (isKnown) empty.add(token);
        }
        this.#failedAt.delete(source);
        return undefined;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (!error.isAboutRequest) this.#failedAt.set(source, this.#clock.now());
        return error;
      }
    };
    const groups = source.isBatch ? [tokens] : tokens.map((token) => [token]);
    let firstError: UpstreamError | undefined;
    for (const [n, group] of groups.entries()) {
      const error = await readGroup(group);
      if (!error) {
        const errors = await Promise.all(groups.slice(n + 1).map(readGroup));
        return firstError ?? errors.find((other) => other !== undefined);
      }
      firstError ??= error;
      if (!error.isAboutRequest) break;
    }
    return firstError;
  }

  /** Recently failed sources come last. No source is left out. */
  #failedLast(sources: readonly HistorySource[]): readonly HistorySource[] {
    const failedRecently = (source: HistorySource): boolean =>
      this.#clock.now() - (this.#failedAt.get(source) ?? Number.NEGATIVE_INFINITY) <
      FAILED_RECENTLY_MS;
    return sources.toSorted((a, b) => Number(failedRecently(a)) - Number(failedRecently(b)));
  }
}
