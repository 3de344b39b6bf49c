import { Draw, hashText } from '../dataset/hash.ts';
import { type Route, UPSTREAMS } from '../route.ts';
import { ROUTE_NAMES, type RouteName } from '../routes.ts';
import type { FaultEffect } from './effect.ts';
import { FAULT_KINDS, type FaultKindName, faultKind } from './kinds.ts';
import { OptionError, OptionReader } from './reader.ts';

/** What a fault can be aimed at: a route, all routes of an upstream, or everything. */
export const FAULT_ROUTES: readonly FaultRoute[] = ['*', ...UPSTREAMS, ...ROUTE_NAMES];
export type FaultRoute = '*' | (typeof UPSTREAMS)[number] | RouteName;

/** A fault to inject; further properties are the options of its kind (kinds.ts). */
export interface FaultSpec {
  readonly route: FaultRoute;
  readonly kind: FaultKindName;
  /** Requests it acts on. @default until cleared */
  readonly times?: number;
  /** Requests it lets pass first. @default 0 */
  readonly after?: number;
  /** Ms by the simulator's clock, from being set, before it acts. @default 0 */
  readonly startMs?: number;
  /** Ms by the simulator's clock, from the first request it acts on, until it acts no more. @default until cleared */
  readonly forMs?: number;
  /** @default 1 */
  readonly probability?: number;
  readonly [option: string]: unknown;
}

/** A fault as the control API shows it. */
export interface FaultState {
  readonly id: string;
  readonly spec: FaultSpec;
  /** Requests it could have acted on. */
  readonly seen: number;
  /** Requests it did act on. */
  readonly hits: number;
}

/** A fault that acts on the request at hand. */
export interface AppliedFault {
  readonly id: string;
  readonly effect: FaultEffect;
  readonly draw: Draw;
}

interface ActiveFault {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly effect: FaultEffect;
  readonly acts: (route: Route) => boolean;
  /** Ms. */
  readonly setAt: number;
  firstHitAt: number | undefined;
  seen: number;
  hits: number;
}

const MANY = 1_000_000;
const MANY_MS = Number.POSITIVE_INFINITY;

/** The faults that are set, in the order they were set. */
export class Faults {
  #active: readonly ActiveFault[] = [];
  readonly #now: () => number;
  #last = 0;

  /** `now`: ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Sets a fault and returns its id. @throws OptionError that says what is wrong with it */
  add(input: unknown): string {
    const options = new OptionReader(input);
    const route = options.choice('route', FAULT_ROUTES);
    const name = options.choice('kind', Object.keys(FAULT_KINDS));
    const kind = name === undefined ? undefined : faultKind(name);
    if (route === undefined) throw new OptionError(`"route" is missing: one of ${FAULT_ROUTES.join(', ')}.`);
    if (kind === undefined)
      throw new OptionError(`"kind" is missing: one of ${Object.keys(FAULT_KINDS).join(', ')}.`);
    const times = options.whole('times', 1, MANY);
    const after = options.whole('after', 0, MANY);
    const startMs = options.whole('startMs', 0, MANY);
    const forMs = options.whole('forMs', 1, MANY);
    const probability = options.share('probability');
    const effect = kind.effect(options);
    options.finish();
    const aimed = (to: Route) => route === '*' || route === to.upstream || route === to.name;
    const acts = (to: Route) => aimed(to) && (kind.routes?.some((name) => name === to.name) ?? true);
    if (
      ROUTE_NAMES.some((known) => known === route) &&
      kind.routes?.some((able) => able === route) === false
    ) {
      throw new OptionError(`"${name}" acts only on ${kind.routes.join(', ')}.`);
    }
    this.#last += 1;
    const id = `fault-${this.#last}`;
    const spec = { times, after, startMs, forMs, probability, ...(input as FaultSpec) } as FaultSpec;
    this.#active = [
      ...this.#active,
      {
        id,
        spec,
        effect,
        acts,
        setAt: this.#now(),
        firstHitAt: undefined,
        seen: 0,
        hits: 0,
      },
    ];
    return id;
  }

  /** Removes one fault, or all; says whether there was any such. */
  clear(id?: string): boolean {
    const before = this.#active.length;
    this.#active = id === undefined ? [] : this.#active.filter((fault) => fault.id !== id);
    return id === undefined || this.#active.length < before;
  }

  list(): readonly FaultState[] {
    return this.#active.map(({ id, spec, seen, hits }) => ({ id, spec, seen, hits }));
  }

  /** The faults that act on a request to this route, which they count. None acts after one that responds itself. */
  take(route: Route, nowMs: number): readonly AppliedFault[] {
    const applied: AppliedFault[] = [];
    for (const fault of this.#active) {
      if (!fault.acts(route)) continue;
      const { times = MANY, after = 0, probability = 1, startMs = 0, forMs = MANY_MS } = fault.spec;
      if (nowMs < fault.setAt + startMs) continue;
      fault.seen += 1;
      if (fault.seen <= after || fault.hits >= times) continue;
      if (nowMs >= (fault.firstHitAt ?? nowMs) + forMs) continue;
      const draw = new Draw(hashText(fault.id), String(fault.seen));
      if (!draw.chance(probability)) continue;
      fault.hits += 1;
      fault.firstHitAt ??= nowMs;
      applied.push({ id: fault.id, effect: fault.effect, draw });
      if (fault.effect.instead !== undefined) break;
    }
    return applied;
  }
}
