import { createRequire } from 'node:module';
import type { Json, JsonObject } from '../template/json.ts';

/** The parts of dynalite that are changed. */
interface DynaliteDatabase {
  checkConditional(data: JsonObject, existingItem: JsonObject | undefined): ConditionError | null | undefined;
}
interface ConditionError extends Error {
  readonly body?: JsonObject;
}
interface DynaliteValidation {
  readonly types: Record<string, Json>;
}

const OPTION = 'ReturnValuesOnConditionCheckFailure';
const OPERATIONS = ['deleteItem', 'putItem', 'updateItem'] as const;

/**
 * Teaches dynalite 4 `ReturnValuesOnConditionCheckFailure`: with `ALL_OLD` a write whose condition does not hold gives
 * back the item as it was at that moment. dynalite judges conditions while it holds the item's lock, so nobody has
 * written in between.
 */
export function returnItemsOnConditionFailure(): void {
  const require = createRequire(import.meta.url);
  for (const operation of OPERATIONS) {
    const { types }: DynaliteValidation = require(`dynalite/validations/${operation}`);
    types[OPTION] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  }
  const database: DynaliteDatabase = require('dynalite/db');
  const { checkConditional } = database;
  database.checkConditional = (data, existingItem) => {
    const error = checkConditional(data, existingItem);
    if (error?.body && existingItem && data[OPTION] === 'ALL_OLD') error.body.Item = existingItem;
    return error;
  };
}
