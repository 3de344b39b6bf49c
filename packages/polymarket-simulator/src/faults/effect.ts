import type { Draw } from '../dataset/hash.ts';
import type { SimulatedResponse } from '../http/response.ts';

/** What a fault does to one request; several faults add up. */
export interface FaultEffect {
  readonly delayMs?: number;
  /** Takes the place of the route's own response. */
  readonly instead?: SimulatedResponse | 'hang' | 'reset';
  /** Age of the shared cache's copy of a list. */
  readonly ageSeconds?: number;
  /** Changes the body of a good response. */
  readonly change?: (body: unknown, context: FaultContext) => unknown;
  readonly sending?: 'truncate' | 'reset-body';
  readonly dateSkewMs?: number;
}

export interface FaultContext {
  readonly query: URLSearchParams;
  /** Markets of the catalogue page before this one. */
  readonly previousPage: readonly unknown[];
  readonly draw: Draw;
}
