/**
 * Price histories of tokens, from the first of Polymarket's three routes that returns them: CLOB's
 * for many tokens, CLOB's for one token, and the Data API's for one token.
 */
import type { HistorySpan } from '../../core/domain/history-plan.ts';
import { hasPositionLayout } from '../../core/domain/ids.ts';
import type { PricePoint } from '../../core/domain/price-history.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import type { Clock } from '../platform/clock.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { dataSource } from './data-history-source.ts';
import {
  clobBatchSource,
  clobSingleSource,
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
 * The retries of a read of several tokens while a caller waits. One retry costs less than the next
 * route, which may need a call for each token. A read of one token has none.
 */
const LIVE_RETRIES = { retries: 1, timeoutRetries: 0 } as const;

/**
 * Reads price histories from the first source (route of upstream) that has them. What fails, and
 * what CLOB returns empty, is read from the next source.
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
    const reading = new Reading({ tokens, span, areListed: true });
    return this.#readFrom([batch, single, data], reading, { deadline, ...RETRIES });
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
    const retries = tokens.length > 1 ? LIVE_RETRIES : {};
    const reading = new Reading({ tokens, span, areListed: false });
    return this.#readFrom(this.#liveSources(tokens, span), reading, { ...retries, ...limits });
  }

  #liveSources(tokens: readonly string[], span: HistorySpan): readonly HistorySource[] {
    const { batch, single, data } = this.#sources;
    const clob = tokens.length > 1 ? batch : single;
    // Upstream caches CLOB's route for one token, so the Data API is fresher.
    if (span.kind === 'window') return [data, clob];
    // CLOB's "max" covers only 31 days.
    return span.interval === 'max' ? [data] : [clob, data];
  }

  /** One source after the other reads the tokens that the sources before it did not find. */
  async #readFrom(
    sources: readonly HistorySource[],
    reading: Reading,
    limits: CallLimits,
  ): Promise<Histories> {
    const ordered = this.#failedLast(sources);
    let firstError: UpstreamError | undefined;
    for (const source of ordered) {
      const now = this.#clock.now();
      const leftMs = limits.deadline - now;
      if (reading.unread.length === 0 || leftMs <= 0) break;
      const isLast = source === ordered.at(-1);
      const deadline = isLast ? limits.deadline : now + leftMs * SHARE_OF_TIME;
      const error = await this.#readSource(source, reading, { ...limits, deadline });
      firstError ??= error;
    }
    const found = reading.finish();
    if (found.size > 0) return found;
    throw firstError ?? new UpstreamError({ route: 'prices-history', failure: 'timeout' });
  }

  /**
   * Reads the unread tokens from one source. Makes one call at a time until one shows that the route
   * responds, then all others at once. If the route does not respond, makes no further call.
   *
   * @returns the first error
   */
  async #readSource(
    source: HistorySource,
    reading: Reading,
    limits: CallLimits,
  ): Promise<UpstreamError | undefined> {
    const { unread } = reading;
    const groups = source.isBatch ? [unread] : unread.map((token) => [token]);
    const call = (group: readonly string[]) => this.#call(source, group, reading, limits);
    let firstError: UpstreamError | undefined;
    for (const [n, group] of groups.entries()) {
      const error = await call(group);
      if (!error) {
        const errors = await Promise.all(groups.slice(n + 1).map(call));
        return firstError ?? errors.find((other) => other !== undefined);
      }
      firstError ??= error;
      if (!error.isAboutRequest) break;
    }
    return firstError;
  }

  /** Makes one call, and records its histories. @returns the error of a failed call */
  async #call(
    source: HistorySource,
    tokens: readonly string[],
    reading: Reading,
    limits: CallLimits,
  ): Promise<UpstreamError | undefined> {
    try {
      reading.add(await source.read(tokens, reading.request.span, limits), source);
      this.#failedAt.delete(source);
      return undefined;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (!error.isAboutRequest) this.#failedAt.set(source, this.#clock.now());
      return error;
    }
  }

  /** Recently failed sources come last. No source is left out. */
  #failedLast(sources: readonly HistorySource[]): readonly HistorySource[] {
    const since = this.#clock.now() - FAILED_RECENTLY_MS;
    const isFailed = (source: HistorySource) => (this.#failedAt.get(source) ?? since) > since;
    return [...sources.filter((source) => !isFailed(source)), ...sources.filter(isFailed)];
  }
}

interface ReadRequest {
  readonly tokens: readonly string[];
  readonly span: HistorySpan;
  /** Whether all tokens belong to open markets. */
  readonly areListed: boolean;
}

/** A read of several tokens, and what the sources have returned so far. */
class Reading {
  readonly request: ReadRequest;
  readonly #found = new Map<string, readonly PricePoint[]>();
  /** Tokens with an empty history that counts only if no later source has points. */
  readonly #doubtful = new Set<string>();

  constructor(request: ReadRequest) {
    this.request = request;
  }

  /** The tokens that the next source must read. */
  get unread(): readonly string[] {
    return this.request.tokens.filter((token) => !this.#found.has(token));
  }

  /** Adds the histories of one response, if they are reliable. */
  add(histories: Histories, source: HistorySource): void {
    const hasPoints = [...histories.values()].some((points) => points.length > 0);
    for (const [token, points] of histories) {
      if (points.length > 0 || source.hasAllTokens) {
        this.#found.set(token, points);
        continue;
      }
      // An empty history from CLOB says nothing about a token that CLOB may lack: one of a resolved
      // market, or of Protocol V2. For another token it counts if the response has points at all.
      const clobHasToken = this.request.areListed && !hasPositionLayout(token);
      if (clobHasToken && hasPoints) this.#found.set(token, points);
      else if (clobHasToken) this.#doubtful.add(token);
    }
  }

  /** The histories by token, after the last source. */
  finish(): Histories {
    const doubtful = this.unread.filter((token) => this.#doubtful.has(token));
    for (const token of doubtful) this.#found.set(token, []);
    return this.#found;
  }
}
