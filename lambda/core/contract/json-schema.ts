/** A JSON Schema, or a part of the API document. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Functions that make JSON Schemas, each from its description. Their literal types let TypeScript
 * derive the response types. The name is short, because nearly every field uses it.
 *
 * @example s.flag('Is it new?') // { type: 'boolean', description: 'Is it new?' }
 */
export const s = {
  text: (description: string) => ({ type: 'string', description }) as const,
  texts: (description: string) =>
    ({ type: 'array', items: { type: 'string' }, description }) as const,
  time: (description: string) => ({ type: 'string', format: 'date-time', description }) as const,
  number: (description: string) => ({ type: 'number', description }) as const,
  amount: (description: string) => ({ type: 'number', minimum: 0, description }) as const,
  price: (description: string) =>
    ({ type: 'number', minimum: 0, maximum: 1, description }) as const,
  percent: (description: string) =>
    ({ type: 'number', minimum: 0, maximum: 100, description }) as const,
  token: (description: string) => ({ $ref: '#/components/schemas/TokenId', description }) as const,
  count: (description: string) => ({ type: 'integer', minimum: 1, description }) as const,
  flag: (description: string) => ({ type: 'boolean', description }) as const,
  choice: <const V extends readonly string[]>(values: V, description: string) =>
    ({ type: 'string', enum: values, description }) as const,
  /** The object allows no other properties. */
  object: <const R extends readonly string[], const P extends Readonly<Record<string, unknown>>>(
    required: R,
    properties: P,
  ) => ({ type: 'object', additionalProperties: false, required, properties }) as const,
};
