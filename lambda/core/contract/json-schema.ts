/** The literal types let TypeScript derive response types. */

/** A JSON Schema, or a part of the API document. */
export type Json = Readonly<Record<string, unknown>>;

export const text = (description: string) => ({ type: 'string', description }) as const;
export const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const;
export const time = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;

/** The caller of this function adds limits. */
export const number = (description: string) => ({ type: 'number', description }) as const;
/** At least 0. */
export const amount = (description: string) => ({ type: 'number', minimum: 0, description }) as const;
/** 0 to 1. */
export const price = (description: string) => ({ type: 'number', minimum: 0, maximum: 1, description }) as const;
/** 0 to 100. */
export const percent = (description: string) => ({ type: 'number', minimum: 0, maximum: 100, description }) as const;
export const token = (description: string) => ({ $ref: '#/components/schemas/TokenId', description }) as const;

/** Has no other properties than these. */
export const object = <const R extends readonly string[], const P extends Readonly<Record<string, unknown>>>(
  required: R,
  properties: P,
) => ({ type: 'object', additionalProperties: false, required, properties }) as const;
