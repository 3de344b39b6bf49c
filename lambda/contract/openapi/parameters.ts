import type { Parameter } from '../parameters.ts';
import { RELATIVE_MOMENT_PATTERN } from '../patterns.ts';
import { type Json, ref } from '../route.ts';

export function parameterObject(name: string, parameter: Parameter): Json {
  const aliases = parameter.aliases?.length ? ` Also accepted as ${parameter.aliases.join(', ')}.` : '';
  return {
    name,
    in: parameter.in ?? 'query',
    // A document has no word for "under one of these names": the first name is the one to use.
    required: parameter.required === true,
    description: `${parameter.description}${aliases}`,
    ...(parameter.kind === 'list' ? { style: 'form', explode: false } : {}),
    schema: parameterSchema(parameter),
    example: exampleOf(parameter),
  };
}

function exampleOf({ kind, example }: Parameter): unknown {
  if (kind === 'integer' || kind === 'number') return Number(example);
  return kind === 'list' ? example.split(',') : example;
}

/** The JSON Schema of a parameter; refers to the schemas of the document. */
export function parameterSchema(parameter: Parameter): Json {
  switch (parameter.kind) {
    case 'integer':
      return {
        type: 'integer',
        minimum: parameter.minimum,
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'text':
      return {
        type: 'string',
        minLength: parameter.minLength,
        maxLength: parameter.maxLength,
        pattern: parameter.pattern,
      };
    case 'choice':
      return {
        type: 'string',
        enum: parameter.values,
        // What generated clients call the values, where a value is no identifier.
        ...(parameter.names ? { 'x-enum-varnames': parameter.names } : {}),
        ...(parameter.default === undefined ? {} : { default: parameter.default }),
      };
    case 'token-id':
      return ref('TokenId');
    case 'snapshot-id':
      return { type: 'string', pattern: '^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}$' };
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
      return {
        type: 'array',
        minItems: 1,
        maxItems: parameter.mostEntries,
        items: parameter.tokens
          ? ref('TokenId')
          : parameter.values
            ? { type: 'string', enum: parameter.values }
            : { type: 'string', minLength: 1, maxLength: parameter.entryLength, pattern: '^[^,]+$' },
      };
  }
}
