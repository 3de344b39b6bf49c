/** A JSON Schema, or a part of the API document. */
export type Json = Readonly<Record<string, unknown>>;

/** Makers of schemas. Their literal types let TypeScript derive response types. */
export const s = {
  text: (description: string) => ({ type: 'string', description }) as const,
  texts: (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const,
  time: (description: string) => ({ type: 'string', format: 'date-time', description }) as const,
  /** Without limits. */
  number: (description: string) => ({ type: 'number', description }) as const,
  /** At least 0. */
  amount: (description: string) => ({ type: 'number', minimum: 0, description }) as const,
  /** 0 to 1. */
  price: (description: string) => ({ type: 'number', minimum: 0, maximum: 1, description }) as const,
  /** 0 to 100. */
  percent: (description: string) => ({ type: 'number', minimum: 0, maximum: 100, description }) as const,
  token: (description: string) => ({ $ref: '#/components/schemas/TokenId', description }) as const,
  /** Without other properties than these. */
  object: <const R extends readonly string[], const P extends Readonly<Record<string, unknown>>>(
    required: R,
    properties: P,
  ) => ({ type: 'object', additionalProperties: false, required, properties }) as const,
};
