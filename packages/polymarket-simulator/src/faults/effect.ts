import type { Draw } from '../dataset/hash.ts';
import type { ListQuirks } from '../gamma/filters.ts';
import type { SimulatedResponse } from '../http/response.ts';
import type { Route } from '../route.ts';
import type { State } from '../state.ts';

/** What a fault does to one request; several faults add up. */
export interface FaultEffect {
  readonly delayMs?: number;
  /** Takes the place of the route's own response. */
  readonly instead?: 'hang' | 'reset' | ((route: Route) => SimulatedResponse);
  /** Happens to the upstream before the request is served. */
  readonly before?: (state: State, draw: Draw) => void;
  /** Age of the shared cache's copy of a list. */
  readonly ageSeconds?: number;
  /** How lists filter. */
  readonly lists?: ListQuirks;
  /** Changes the body of a good response. */
  readonly change?: (body: unknown, context: FaultContext) => unknown;
  /** Changes the body's text, as the last thing before it is sent. */
  readonly text?: (text: string) => string;
  /** Headers in place of the right ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Not compressed, whatever the client accepts. */
  readonly plain?: boolean;
  readonly sending?: 'reset-body' | 'endless';
  readonly dateSkewMs?: number;
}

export interface FaultContext {
  readonly query: URLSearchParams;
  /** Markets of the catalogue page before this one. */
  readonly previousPage: readonly unknown[];
  readonly draw: Draw;
}
