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
const RETRIES = { retries: 5, timeoutRetries: 1 } as const;
/** A caller waits. Only a call for several tokens is better than one call of the next route for each. */
const LIVE_RETRIES = { retries: 1, timeoutRetries: 0 } as const;

interface ReadRequest {
  readonly span: HistorySpan;
  /** Whether the markets of the tokens are open: CLOB has nothing of resolved ones. */
  readonly areListed: boolean;
  readonly limits: CallLimits;
}

/** What the sources have returned so far. `empty`: tokens without points in a response that is not reliable. */
interface Reading extends Omit<ReadRequest, 'limits'> {
  readonly found: Map<string, readonly PricePoint[]>;
  readonly empty: Set<string>;
}

/**
 * Price histories from the first route of upstream that has them. The next route reads the tokens of failed calls, and
 * those for which CLOB returns no prices.
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
   * Reads tokens of markets that are open, from any route.
   *
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @param deadline a route that hangs leaves time for the next one.
   * @returns histories by token: empty if upstream has no prices of the token; missing if the token could not be read
   * @throws UpstreamError when no token could be read
   */
  read(tokens: readonly string[], span: HistorySpan, deadline: UnixMs): Promise<Histories> {
    const { batch, single, data } = this.#sources;
    return this.#readFrom([batch, single, data], tokens, { span, areListed: true, limits: { deadline, ...RETRIES } });
  }

  /**
   * Reads any tokens for a caller who waits: one call of CLOB for all tokens, and one of the Data API for each at most. An
   * empty history of CLOB proves nothing, because CLOB has none of a resolved market.
   *
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @returns as `read` @throws UpstreamError when no token could be read
   */
  readLive(tokens: readonly string[], span: HistorySpan, limits: CallLimits): Promise<Histories> {
    const { batch, single, data } = this.#sources;
    const clob = tokens.length > 1 ? batch : single;
    // CLOB's "max" is its last 31 days. Upstream caches its route for one token.
    const isLife = span.kind === 'interval' && span.interval === 'max';
    const sources = isLife ? [data] : span.kind === 'window' ? [data, clob] : [clob, data];
    const retries = tokens.length > 1 ? LIVE_RETRIES : {};
    return this.#readFrom(sources, tokens, { span, areListed: false, limits: { ...retries, ...limits } });
  }

  /** Reads from each source what the ones before it lack. Those that failed recently are the last ones. */
  async #readFrom(
    sources: readonly HistorySource[],
    tokens: readonly string[],
    { limits, ...request }: ReadRequest,
  ): Promise<Histories> {
    const reading: Reading = { ...request, found: new Map(), empty: new Set() };
    const { found, empty } = reading;
    let firstError: UpstreamError | undefined;
    for (const [n, source] of this.#failedLast(sources).entries()) {
      const missing = tokens.filter((token) => !found.has(token));
      const left = limits.deadline - this.#clock.now();
      if (missing.length === 0 || left <= 0) break;
      const share = n === sources.length - 1 ? 1 : SHARE_OF_TIME;
      const deadline = limits.deadline - left * (1 - share);
      const error = await this.#readSource(source, missing, { ...limits, deadline }, reading);
      firstError ??= error;
    }
    for (const token of empty) if (!found.has(token)) found.set(token, []);
    if (found.size > 0) return found;
    throw firstError ?? new UpstreamError({ route: 'prices-history', failure: 'timeout' });
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
    limits: CallLimits,
    { span, areListed, found, empty }: Reading,
  ): Promise<UpstreamError | undefined> {
    const errors: UpstreamError[] = [];
    /** @returns whether the call succeeded */
    const readGroup = async (group: readonly string[]): Promise<boolean> => {
      try {
        const histories = await source.read(group, span, limits);
        const hasPoints = [...histories.values()].some((points) => points.length > 0);
        for (const [token, points] of histories) {
          const isKnown = areListed && !hasPositionLayout(token);
          if (points.length > 0 || source.isComplete || (hasPoints && isKnown)) found.set(token, points);
          else if (isKnown) empty.add(token);
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
