import type { PricePoint } from '../../core/domain/change.ts';
import type { HistorySpan } from '../../core/domain/history-plan.ts';
import type { UnixMs } from '../../core/domain/time.ts';
import { hasPositionLayout } from '../../core/domain/token-id.ts';
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

/** A source that failed is tried last for this long, so that a dead route does not use up the time of every read. */
const FAILED_RECENTLY_MS = 15_000;
/** The share of the time left that a route may use while there is another one. */
const SHARE_OF_TIME = 0.5;
/** Retries of a call for many tokens. For one token a caller waits, so the next route is better than a retry. */
const RETRIES = { retries: 5, timeoutRetries: 1 } as const;

/** What the sources have returned so far. `empty`: tokens without points in a response that is not reliable. */
interface Reading {
  readonly found: Map<string, readonly PricePoint[]>;
  readonly empty: Set<string>;
}

/**
 * Price histories from the first route of upstream that has them. The next route reads the tokens of failed calls, and
 * the tokens of Protocol V2 for which CLOB returns no prices.
 */
export class PriceHistories {
  readonly #clock: Clock;
  readonly #sources: Readonly<Record<'batch' | 'single' | 'data', HistorySource>>;
  /** When each route failed. */
  readonly #failedAt = new Map<HistorySource, UnixMs>();

  constructor({ clob, data, clock }: { readonly clob: Upstream; readonly data: Upstream; readonly clock: Clock }) {
    this.#clock = clock;
    this.#sources = { batch: clobBatchSource(clob), single: clobSingleSource(clob), data: dataSource(data, clock.now) };
  }

  /**
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @param deadline a route that hangs leaves time for the next one.
   * @returns histories by token: empty if upstream has no prices of the token; missing if the token could not be read
   * @throws UpstreamError when no token could be read
   */
  async read(tokens: readonly string[], span: HistorySpan, deadline: UnixMs): Promise<Histories> {
    const reading: Reading = { found: new Map(), empty: new Set() };
    const { found, empty } = reading;
    const sources = this.#failedLast(this.#sourcesFor(tokens, span));
    let firstError: UpstreamError | undefined;
    for (const [n, source] of sources.entries()) {
      const missing = tokens.filter((token) => !found.has(token));
      const left = deadline - this.#clock.now();
      if (missing.length === 0 || left <= 0) break;
      const share = n === sources.length - 1 ? 1 : SHARE_OF_TIME;
      const limits = { deadline: deadline - left * (1 - share), ...(tokens.length === 1 ? {} : RETRIES) };
      const error = await this.#readSource(source, missing, { span, limits }, reading);
      firstError ??= error;
    }
    // CLOB has nothing of resolved markets, so its empty history of one token proves nothing while the Data API fails.
    const isConclusive = tokens.length > 1 || !firstError;
    for (const token of empty) if (isConclusive && !found.has(token)) found.set(token, []);
    if (found.size > 0) return found;
    throw firstError ?? new UpstreamError({ route: 'prices-history', failure: 'timeout' });
  }

  #sourcesFor(tokens: readonly string[], span: HistorySpan): readonly HistorySource[] {
    const { batch, single, data } = this.#sources;
    // CLOB's "max" is its last 31 days.
    if (span.kind === 'interval' && span.interval === 'max') return [data];
    if (tokens.length > 1) return [batch, single, data];
    // CLOB has no prices of resolved markets, but upstream caches its single route.
    return span.kind === 'window' ? [data, single, batch] : [single, batch, data];
  }

  /**
   * Reads what one route has of some tokens. It makes one call after the other until one shows that the
   * route responds. CLOB's response without any point is not reliable.
   *
   * @returns the first error
   */
  async #readSource(
    source: HistorySource,
    tokens: readonly string[],
    { span, limits }: { readonly span: HistorySpan; readonly limits: CallLimits },
    { found, empty }: Reading,
  ): Promise<UpstreamError | undefined> {
    const errors: UpstreamError[] = [];
    /** @returns whether the call succeeded */
    const readGroup = async (group: readonly string[]): Promise<boolean> => {
      try {
        const histories = await source.read(group, span, limits);
        const hasPoints = [...histories.values()].some((points) => points.length > 0);
        for (const [token, points] of histories) {
          const isPosition = hasPositionLayout(token);
          if (points.length > 0 || source.knowsPositions || (hasPoints && !isPosition)) found.set(token, points);
          else if (!isPosition) empty.add(token);
        }
        this.#failedAt.delete(source);
        return true;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (!error.isAboutRequest) this.#failedAt.set(source, this.#clock.now());
        errors.push(error);
        return false;
      }
    };
    const groups = source.isBatch ? [tokens] : tokens.map((token) => [token]);
    for (const [n, group] of groups.entries()) {
      if (await readGroup(group)) {
        await Promise.all(groups.slice(n + 1).map(readGroup));
        break;
      }
      if (!errors[n]?.isAboutRequest) break;
    }
    return errors[0];
  }

  /** The sources in their order, but those that failed recently at the end. No source is left out. */
  #failedLast(sources: readonly HistorySource[]): readonly HistorySource[] {
    const failedRecently = (source: HistorySource): boolean =>
      this.#clock.now() - (this.#failedAt.get(source) ?? Number.NEGATIVE_INFINITY) < FAILED_RECENTLY_MS;
    return sources.toSorted((a, b) => Number(failedRecently(a)) - Number(failedRecently(b)));
  }
}
