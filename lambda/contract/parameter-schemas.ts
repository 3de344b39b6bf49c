import type { ListParameter, Parameter } from './parameters.ts';
import { RELATIVE_MOMENT_PATTERN, SNAPSHOT_ID_PATTERN } from './patterns.ts';
import { type Json, ref } from './route.ts';

/** The JSON Schema of a parameter; it refers to the schemas of the document. */
export function parameterSchema(parameter: Parameter): Json {
  switch (parameter.kind) {
    case 'integer':
      return {
        type: 'integer',
        minimum: parameter.minimum,
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'text': {
      const { minLength, maxLength, pattern } = parameter;
      return { type: 'string', minLength, maxLength, ...(pattern === undefined ? {} : { pattern }) };
    }
    case 'choice':
      return {
        type: 'string',
        enum: parameter.values,
        // Generated clients use these names for values that are not identifiers.
        ...(parameter.names ? { 'x-enum-varnames': parameter.names } : {}),
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'token-id':
      return ref('TokenId');
    case 'snapshot-id':
      return { type: 'string', pattern: SNAPSHOT_ID_PATTERN };
    case 'number':
      return {
        type: 'number',
        minimum: parameter.minimum,
        ...(parameter.maximum === undefined ? {} : { maximum: parameter.maximum }),
      };
    case 'moment':
      return {
        anyOf: [
          { type: 'string', format: 'date-time' },
          { type: 'string', format: 'date' },
          { type: 'string', pattern: RELATIVE_MOMENT_PATTERN },
        ],
      };
    case 'list':
      return { type: 'array', minItems: 1, maxItems: parameter.maxEntries, items: entrySchema(parameter) };
  }
}

function entrySchema({ tokens, values, entryLength }: ListParameter): Json {
  if (tokens) return ref('TokenId');
  if (values) return { type: 'string', enum: values };
  return { type: 'string', minLength: 1, maxLength: entryLength, pattern: '^[^,]+$' };
}
