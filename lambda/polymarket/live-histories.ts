import type { PricePoint } from '../domain/change.ts';
import type { HistoryRequest } from '../domain/history-requests.ts';
import { hasPositionLayout } from '../domain/token-id.ts';
import type { LivePriceHistories } from '../endpoints/ports.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { HistoryRoute } from './history-route.ts';
import { LIVE_CALL } from './live-call.ts';
import type { RouteHealth } from './route-health.ts';

/** A route that has not responded by then gets company, ms: a history takes about 500. */
const HEDGE_MS = 1_500;
/** Of the calls that a route may make, a chart of several windows leaves so much to the charts of one call. */
const SHARE_OF_WINDOWS = 0.5;

export interface LiveHistoriesOptions {
  /** In the order in which they are tried. */
  readonly routes: readonly HistoryRoute[];
  readonly health: RouteHealth;
  readonly clock: Clock;
}

/**
 * The history of one token for a caller who waits. The next route is asked as soon as one fails, and beside one that
 * is slow; the first response counts. Nothing at all from CLOB for a token of Protocol V2 is believed only when the
 * others have nothing either, or are gone (docs/adr/0013-history-chain.md).
 */
export class LiveHistories implements LivePriceHistories {
  readonly #options: LiveHistoriesOptions;

  constructor(options: LiveHistoriesOptions) {
    this.#options = options;
  }

  points(token: string, request: HistoryRequest, deadline: number): Promise<readonly PricePoint[]> {
    const { routes, health, clock } = this.#options;
    const limits = {
      ...LIVE_CALL,
      deadline,
      ...(request.kind === 'window' ? { share: SHARE_OF_WINDOWS } : {}),
    };
    const hopeful = health.order(routes);
    const attempts = (hopeful.length > 0 ? hopeful : health.lastResort(routes)).map((route) => async () => {
      try {
        const histories = await route.read([token], request, limits);
        health.responded(route.name);
        return histories.get(token) ?? [];
      } catch (error) {
        if (error instanceof UpstreamError) health.failed(route.name, error);
        throw error;
      }
    });
    const believable = (points: readonly PricePoint[]) => points.length > 0 || !hasPositionLayout(token);
    return firstOf(attempts, believable, clock);
  }
}

/**
 * Begins with the first attempt and adds the next whenever one fails or takes long.
 *
 * @throws the first error when every attempt has failed, or one that might have known better than a doubtful value
 */
function firstOf<T>(
  attempts: readonly (() => Promise<T>)[],
  believable: (value: T) => boolean,
  clock: Clock,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let running = 0;
    let done = false;
    let doubtful: { readonly value: T } | undefined;
    let firstError: unknown;
    let unheard: unknown;
    const begin = () => {
      const attempt = attempts[next];
      if (done || !attempt) return;
      next += 1;
      running += 1;
      const cancel = clock.after(HEDGE_MS, begin);
      attempt()
        .then(
          (value) => {
            if (!believable(value)) doubtful ??= { value };
            else {
              done = true;
              resolve(value);
            }
          },
          (error: unknown) => {
            firstError ??= error;
            if (!(error instanceof UpstreamError && error.gone)) unheard ??= error;
          },
        )
        .finally(() => {
          cancel();
          running -= 1;
          if (done) return;
          if (next < attempts.length) begin();
          else if (running > 0) return;
          else if (doubtful && unheard === undefined) resolve(doubtful.value);
          else reject(doubtful ? unheard : firstError);
        });
    };
    if (attempts.length === 0) reject(new UpstreamError({ route: 'prices-history', failure: 'no_route' }));
    else begin();
  });
}
