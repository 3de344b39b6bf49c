import type { FaultKind } from './kind.ts';
import { CONNECTION_FAULTS } from './kinds/connection.ts';
import { DRIFT_FAULTS } from './kinds/drift.ts';
import { LIST_FAULTS } from './kinds/lists.ts';
import { PRICE_FAULTS } from './kinds/prices.ts';
import { RESPONSE_FAULTS } from './kinds/responses.ts';

/** Every kind of fault, by name. An entry reads its own options; what it does not read is refused. */
export const FAULT_KINDS = {
  ...RESPONSE_FAULTS,
  ...CONNECTION_FAULTS,
  ...LIST_FAULTS,
  ...PRICE_FAULTS,
  ...DRIFT_FAULTS,
} as const;

export type FaultKindName = keyof typeof FAULT_KINDS;

/** The kind of that name, or undefined. */
export function faultKind(name: string): FaultKind | undefined {
  return Object.hasOwn(FAULT_KINDS, name) ? FAULT_KINDS[name as FaultKindName] : undefined;
}
