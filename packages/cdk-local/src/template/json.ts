/** JSON as a template holds it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Thrown where a template says something that the local server does not know, or cannot be right. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws {TemplateError} when `value` is not an object */
export function objectAt(value: Json | undefined, where: string): JsonObject {
  if (!isObject(value)) throw new TemplateError(`${where} must be an object`);
  return value;
}

/** @throws {TemplateError} when `value` is not a list */
export function listAt(value: Json | undefined, where: string): Json[] {
  if (!Array.isArray(value)) throw new TemplateError(`${where} must be a list`);
  return value;
}

/** CloudFormation turns numbers and booleans into text where text is wanted. @throws {TemplateError} for anything else */
export function stringAt(value: Json | undefined, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${where} must be text`);
}
