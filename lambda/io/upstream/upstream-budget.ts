import { SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { throttlingOf } from '../platform/dynamodb.ts';
import { type Log, LogThrottle } from '../platform/telemetry.ts';
import { RequestWindow, type RequestWindowOptions, type Taken } from '../rate-limit/request-window.ts';
import { UpstreamError } from './upstream-error.ts';
import { UPSTREAMS, type UpstreamRoute, type UpstreamRouteName } from './upstreams.ts';

interface UpstreamBudgetOptions extends Pick<RequestWindowOptions, 'client' | 'table' | 'clock'> {
  readonly logger: Pick<Log, 'warn'>;
}

/** If the table does not respond in this time, calls are made without the budget. */
const TABLE_TIMEOUT_MS = 500;
/** Upstream counts over 10 s. A call begins at most the time-out after its entry. */
const LENGTH_MS = 10 * SECOND_MS + TABLE_TIMEOUT_MS;
/** After a failure of the table, calls do not wait for it. */
const PAUSE_MS = 5 * SECOND_MS;
/** Retry after a refusal that does not follow from the entries. */
const SHORT_REFUSAL_MS = SECOND_MS;
const WARNING_INTERVAL_MS = 10 * SECOND_MS;

interface Group {
  calls: number;
  readonly taken: Promise<Taken | undefined>;
}

/**
 * Calls of all containers to Gamma and the Data API: in any 10 s at most half of upstream's documented limit per route.
 * API Gateway's throttles limit the CLOB routes.
 */
export class UpstreamBudget {
  readonly #options: UpstreamBudgetOptions;
  readonly #windows: ReadonlyMap<string, RequestWindow>;
  readonly #groups = new Map<UpstreamRouteName, Group>();
  /** Entries of full windows, oldest first. */
  readonly #full = new Map<UpstreamRouteName, readonly UnixMs[]>();
  readonly #throttle: LogThrottle;
  #pausedUntil: UnixMs = Number.NEGATIVE_INFINITY;

  constructor(options: UpstreamBudgetOptions) {
    this.#options = options;
    const routes: Readonly<Record<string, UpstreamRoute>> = { ...UPSTREAMS.gamma.routes, ...UPSTREAMS.data.routes };
    this.#windows = new Map(
      Object.entries(routes).map(([route, { callsPer10Seconds: limit }]) => [
        route,
        new RequestWindow({ ...options, lengthMs: LENGTH_MS, timeoutMs: TABLE_TIMEOUT_MS, limit }),
      ]),
    );
    this.#throttle = new LogThrottle(options.clock, WARNING_INTERVAL_MS);
  }

  /** Refuses if the route is known to be full, without a call to the table. @throws UpstreamError */
  checkRemembered(route: UpstreamRouteName): void {
    const times = this.#full.get(route);
    if (times && this.#options.clock.now() < endOf(times, 1)) throw this.#refusal(route, times, 1);
  }

  /**
   * Takes the entry of one call; calls that begin together share a write. Without a decision the call is allowed.
   *
   * @throws UpstreamError `rate_limited` if the window is full
   */
  async take(route: UpstreamRouteName): Promise<void> {
    const window = this.#windows.get(route);
    if (!window || this.#options.clock.now() < this.#pausedUntil) return;
    this.checkRemembered(route);
    const group = this.#groups.get(route) ?? this.#begin(route, window);
    const place = group.calls;
    group.calls += 1;
    const taken = await group.taken;
    if (taken && place >= taken.granted) throw this.#refusal(route, taken.times, group.calls);
  }

  #begin(route: UpstreamRouteName, window: RequestWindow): Group {
    const group: Group = {
      calls: 0,
      taken: Promise.resolve().then(() => {
        this.#groups.delete(route);
        return this.#takeEntries(route, window, group.calls);
      }),
    };
    this.#groups.set(route, group);
    return group;
  }

  async #takeEntries(route: UpstreamRouteName, window: RequestWindow, calls: number): Promise<Taken | undefined> {
    const { clock, logger } = this.#options;
    try {
      const taken = await window.take(`upstream ${route}`, calls);
      if (taken.granted < calls && taken.times.length > 0) this.#full.set(route, taken.times);
      return taken;
    } catch (error) {
      // DynamoDB throttles a key only if more calls want an entry than are free.
      if (throttlingOf(error) === 'key') return { granted: 0, times: [] };
      this.#pausedUntil = clock.now() + PAUSE_MS;
      if (this.#throttle.allow('unavailable')) {
        logger.warn('The upstream budget is unavailable: calls are made without it', { error });
      }
      return undefined;
    }
  }

  #refusal(route: UpstreamRouteName, times: readonly UnixMs[], calls: number): UpstreamError {
    const retryAfterMs = times.length === 0 ? SHORT_REFUSAL_MS : endOf(times, calls) - this.#options.clock.now();
    return new UpstreamError({ route, failure: 'rate_limited', retryAfterMs });
  }
}

/** When `count` entries no longer count. @param times oldest first */
function endOf(times: readonly UnixMs[], count: number): UnixMs {
  return (times[Math.min(count, times.length) - 1] ?? Number.NEGATIVE_INFINITY) + LENGTH_MS;
}
