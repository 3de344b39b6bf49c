import type { PricePoint } from '../domain/change.ts';
import { hasPositionLayout } from '../domain/token-id.ts';
import { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { HistoryRange, PriceHistories } from '../refresh/ports.ts';
import type { HistoryRoute, HistorySpan } from './history-route.ts';
import type { RouteHealth } from './route-health.ts';

/** A call that fails is tried again this often, time permitting. */
const RETRIES = 5;
/** Share of the time left that a route may take while there is another to turn to. */
const SHARE_OF_TIME = 0.5;

export interface HistoryChainOptions {
  /** In the order in which they are tried. */
  readonly routes: readonly HistoryRoute[];
  readonly health: RouteHealth;
  readonly clock: Clock;
}

/**
 * Price histories from whichever route responds (docs/adr/0013-history-chain.md). What one route cannot give is asked of
 * the next: the tokens of a call that failed, and tokens of Protocol V2 for which CLOB has nothing, since nobody has
 * seen its history routes with such ids.
 */
export class HistoryChain implements PriceHistories {
  readonly #options: HistoryChainOptions;

  constructor(options: HistoryChainOptions) {
    this.#options = options;
  }

  /** Of the route that will be tried first. */
  get tokensPerCall(): number {
    const { routes, health } = this.#options;
    return health.order(routes)[0]?.tokensPerCall ?? 1;
  }

  async histories(
    tokens: readonly string[],
    range: HistoryRange,
    deadline: number,
  ): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
    const { routes, health, clock } = this.#options;
    const found = new Map<string, readonly PricePoint[]>();
    const span: HistorySpan = { kind: 'window', ...range };
    const order = health.order(routes);
    let missing = tokens;
    let firstError: UpstreamError | undefined;
    for (const [n, route] of order.entries()) {
      const now = clock.now();
      if (missing.length === 0 || now >= deadline) break;
      const isLast = n === order.length - 1;
      const until = isLast ? deadline : now + (deadline - now) * SHARE_OF_TIME;
      const error = await this.#readAll(route, missing, span, { deadline: until, isLast }, found);
      firstError ??= error;
      missing = tokens.filter((token) => {
        const points = found.get(token);
        return points === undefined || (points.length === 0 && hasPositionLayout(token));
      });
    }
    if (found.size > 0 || tokens.length === 0) return found;
    throw firstError ?? new UpstreamError({ route: 'prices-history', failure: 'no_route' });
  }

  /** @returns the first error, if any; what was read is in `found` */
  async #readAll(
    route: HistoryRoute,
    tokens: readonly string[],
    span: HistorySpan,
    { deadline, isLast }: { readonly deadline: number; readonly isLast: boolean },
    found: Map<string, readonly PricePoint[]>,
  ): Promise<UpstreamError | undefined> {
    const { health } = this.#options;
    const groups: (readonly string[])[] = [];
    for (let start = 0; start < tokens.length; start += route.tokensPerCall) {
      groups.push(tokens.slice(start, start + route.tokensPerCall));
    }
    let failure: UpstreamError | undefined;
    const readGroup = async (group: readonly string[]): Promise<void> => {
      if (failure?.gone || failure?.failure === 'too_large') return; // the calls not yet made would find the same
      try {
        const histories = await route.read(group, span, { deadline, retries: RETRIES, timeoutRetries: 1 });
        health.responded(route.name, found.size === 0);
        for (const [token, points] of histories) found.set(token, points);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        health.failed(route.name, error);
        failure ??= error;
      }
    };
    // One call shows whether the route is well before many are made; the last hope is tried to the end.
    const [first, ...rest] = groups;
    if (first) await readGroup(first);
    if (failure?.ofRoute && !isLast) return failure;
    await Promise.all(rest.map(readGroup));
    return failure;
  }
}
