import { LRUCache } from 'lru-cache';
import type { PricePoint } from '../domain/change.ts';
import type { HistorySpan } from '../domain/history-plan.ts';
import { hasPositionLayout } from '../domain/token-id.ts';
import type { Clock } from '../platform/clock.ts';
import type { CallLimits, Upstream } from '../upstream/client.ts';
import { UpstreamError } from '../upstream/upstream-error.ts';
import { clobBatchRoute, clobSingleRoute, dataRoute, type Histories, type HistoryRoute } from './history-routes.ts';

/** How long a container keeps a window of a history that has ended. */
const CLOSED_WINDOW_TTL_MS = 6 * 3_600_000;
/** Points of ended windows that a container caches: about 25 MB. */
const CLOSED_WINDOW_CACHE_SIZE = 500_000;

/** A route that failed is tried last for this long, so that a dead route does not use up the time of every read. */
const FAILED_LATELY_MS = 15_000;
/** The share of the time left that a route may use while there is another one. */
const SHARE_OF_TIME = 0.5;
/** Retries of a call for many tokens. For one token a caller waits, so the next route is better than a retry. */
const RETRIES = { retries: 5, timeoutRetries: 1 } as const;
/** A window that ended this long ago does not change any more. */
const CLOSED_AFTER_SECONDS = 3_600;

/**
 * Price histories from the first route of upstream that has them. For many tokens: CLOB's batch route, CLOB's single
 * route, the Data API. For one token the single route is first, because upstream caches it. For a window of one token the Data API is
 * first, because CLOB has no prices of resolved markets. Only the Data API has the whole life of a market: CLOB's "max" is
 * its last 31 days. What one route does not have
 * is requested from the next: the tokens of failed calls, and tokens of Protocol V2 for which CLOB has no prices.
 */
export class PriceHistories {
  readonly #clock: Clock;
  readonly #forMany: readonly HistoryRoute[];
  readonly #forOne: readonly HistoryRoute[];
  readonly #forWindow: readonly HistoryRoute[];
  readonly #forWholeLife: readonly HistoryRoute[];
  /** When each route failed, Unix ms. */
  readonly #failedAt = new Map<HistoryRoute, number>();
  /** Windows of one token that have ended. A chart of three months makes one call instead of six with them. */
  readonly #closedWindows: LRUCache<string, readonly PricePoint[]>;

  constructor({ clob, data, clock }: { readonly clob: Upstream; readonly data: Upstream; readonly clock: Clock }) {
    const [batch, single, dataApi] = [clobBatchRoute(clob), clobSingleRoute(clob), dataRoute(data, clock.now)];
    this.#clock = clock;
    this.#forMany = [batch, single, dataApi];
    this.#forOne = [single, batch, dataApi];
    this.#forWindow = [dataApi, single, batch];
    this.#forWholeLife = [dataApi];
    this.#closedWindows = new LRUCache({
      maxSize: CLOSED_WINDOW_CACHE_SIZE,
      sizeCalculation: (points) => points.length,
      ttl: CLOSED_WINDOW_TTL_MS,
      ttlResolution: 0,
      perf: clock,
    });
  }

  /**
   * @param tokens 1 to HISTORY_BATCH_TOKENS
   * @param deadline absolute Unix ms. A route that hangs leaves time for the next one.
   * @returns histories by token: empty if upstream has no prices of the token; missing if the token could not be read
   * @throws UpstreamError when no token could be read
   */
  async read(tokens: readonly string[], span: HistorySpan, deadline: number): Promise<Histories> {
    const [token = ''] = tokens;
    const isClosed = span.kind === 'window' && (span.end + CLOSED_AFTER_SECONDS) * 1_000 <= this.#clock.now();
    if (tokens.length > 1 || !isClosed) return await this.#readRoutes(tokens, span, deadline);
    const key = `${token} ${span.start} ${span.end} ${span.fidelity}`;
    const known = this.#closedWindows.get(key);
    if (known) return new Map([[token, known]]);
    const found = await this.#readRoutes(tokens, span, deadline);
    const points = found.get(token) ?? [];
    // An empty window is not cached: the market may be new, or upstream may have been incomplete for a moment.
    if (points.length > 0) this.#closedWindows.set(key, points);
    return found;
  }

  async #readRoutes(tokens: readonly string[], span: HistorySpan, deadline: number): Promise<Histories> {
    const found = new Map<string, readonly PricePoint[]>();
    const empty = new Set<string>();
    const routes = this.#failedLast(this.#routesFor(tokens, span));
    let firstError: UpstreamError | undefined;
    for (const [n, route] of routes.entries()) {
      const missing = tokens.filter((token) => !found.has(token));
      const left = deadline - this.#clock.now();
      if (missing.length === 0 || left <= 0) break;
      const share = n === routes.length - 1 ? 1 : SHARE_OF_TIME;
      const limits = { deadline: deadline - left * (1 - share), ...(tokens.length === 1 ? {} : RETRIES) };
      const error = await this.#readRoute(route, missing, span, limits, found, empty);
      firstError ??= error;
    }
    // CLOB has nothing of resolved markets, so its empty history of one token proves nothing while the Data API fails.
    const isConclusive = tokens.length > 1 || !firstError;
    for (const token of empty) if (isConclusive && !found.has(token)) found.set(token, []);
    if (found.size > 0) return found;
    throw firstError ?? new UpstreamError({ route: 'prices-history', failure: 'timeout' });
  }

  #routesFor(tokens: readonly string[], span: HistorySpan): readonly HistoryRoute[] {
    if (span.kind === 'interval' && span.interval === 'max') return this.#forWholeLife;
    if (tokens.length > 1) return this.#forMany;
    return span.kind === 'window' ? this.#forWindow : this.#forOne;
  }

  /**
   * Reads what one route has of some tokens into `found`. Calls are made one after the other until one shows that the
   * route responds. An error about one token does not concern the others. A response of CLOB without any point is not
   * reliable: its tokens become `empty`, and the next route reads them, too. @returns the first error
   */
  async #readRoute(
    route: HistoryRoute,
    tokens: readonly string[],
    span: HistorySpan,
    limits: CallLimits,
    found: Map<string, readonly PricePoint[]>,
    empty: Set<string>,
  ): Promise<UpstreamError | undefined> {
    const errors: UpstreamError[] = [];
    /** @returns whether the call succeeded */
    const readGroup = async (group: readonly string[]): Promise<boolean> => {
      try {
        const histories = await route.read(group, span, limits);
        const hasPoints = [...histories.values()].some((points) => points.length > 0);
        for (const [token, points] of histories) {
          const isPosition = hasPositionLayout(token);
          if (points.length > 0 || route.knowsPositions || (hasPoints && !isPosition)) found.set(token, points);
          else if (!isPosition) empty.add(token);
        }
        this.#failedAt.delete(route);
        return true;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        if (!error.isAboutRequest) this.#failedAt.set(route, this.#clock.now());
        errors.push(error);
        return false;
      }
    };
    const groups = route.isBatch ? [tokens] : tokens.map((token) => [token]);
    for (const [n, group] of groups.entries()) {
      if (await readGroup(group)) {
        await Promise.all(groups.slice(n + 1).map(readGroup));
        break;
      }
      if (!errors[n]?.isAboutRequest) break;
    }
    return errors[0];
  }

  /** The routes in their order, but those that failed lately at the end. No route is left out. */
  #failedLast(routes: readonly HistoryRoute[]): readonly HistoryRoute[] {
    const failedLately = (route: HistoryRoute): boolean =>
      this.#clock.now() - (this.#failedAt.get(route) ?? Number.NEGATIVE_INFINITY) < FAILED_LATELY_MS;
    return routes.toSorted((a, b) => Number(failedLately(a)) - Number(failedLately(b)));
  }
}
