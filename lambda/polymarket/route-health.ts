import type { UpstreamError } from '../http-client/upstream-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { HistoryRoute, HistoryRouteName } from './history-route.ts';

/** A route that is gone is asked again after this time: upstream may have taken it down for an hour only. */
const GONE_MS = 3_600_000;
/** With none left, one that is gone is asked again after this time. */
const LAST_RESORT_MS = 60_000;
/** One that failed is asked last for this long, so that a dead route does not eat the time of a run. */
const UNWELL_MS = 15_000;

/** Remembers which of several routes respond, so that each is tried only where there is hope. */
export class RouteHealth {
  readonly #clock: Clock;
  readonly #goneUntil = new Map<HistoryRouteName, number>();
  readonly #unwellUntil = new Map<HistoryRouteName, number>();
  #responded: HistoryRouteName | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The routes to try, in order: those that are gone are left out, those that have just failed come last. */
  order<R extends Pick<HistoryRoute, 'name'>>(routes: readonly R[]): readonly R[] {
    const there = routes.filter(({ name }) => !this.#isBefore(this.#goneUntil.get(name)));
    const [unwell, well] = [true, false].map((ill) =>
      there.filter(({ name }) => this.#isBefore(this.#unwellUntil.get(name)) === ill),
    );
    return [...(well ?? []), ...(unwell ?? [])];
  }

  /** Those that are gone, where a caller would have nothing otherwise: each once a minute, so that any is found soon. */
  lastResort<R extends Pick<HistoryRoute, 'name'>>(routes: readonly R[]): readonly R[] {
    return routes.filter(({ name }) => {
      const until = this.#goneUntil.get(name);
      return until !== undefined && this.#clock.now() >= until - GONE_MS + LAST_RESORT_MS;
    });
  }

  /** @param alone whether no route before it had responded for the same tokens: one that fills gaps is not the one in use */
  responded(name: HistoryRouteName, alone = true): void {
    if (alone) this.#responded = name;
    this.#unwellUntil.delete(name);
    this.#goneUntil.delete(name);
  }

  failed(name: HistoryRouteName, error: UpstreamError): void {
    if (error.gone) this.#goneUntil.set(name, this.#clock.now() + GONE_MS);
    else if (error.ofRoute) this.#unwellUntil.set(name, this.#clock.now() + UNWELL_MS);
  }

  /** The route that responded last, of those that were asked first; undefined before any did. */
  get inUse(): HistoryRouteName | undefined {
    return this.#responded;
  }

  #isBefore(time: number | undefined): boolean {
    return time !== undefined && this.#clock.now() < time;
  }
}
