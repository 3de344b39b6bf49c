import type { RouteName } from '../routes.ts';
import type { FaultEffect } from './effect.ts';
import type { OptionReader } from './reader.ts';

export interface FaultKind {
  readonly summary: string;
  /** Routes it can act on. @default all */
  readonly routes?: readonly RouteName[];
  readonly effect: (options: OptionReader) => FaultEffect;
}

export const LISTS: readonly RouteName[] = ['markets', 'markets-keyset', 'events-keyset'];
/** The longest delay of a fault. */
export const MOST_MS = 600_000;
