import type { Schema } from './api-document.ts';

/** Longer lists of values are folded. */
const MAX_VALUES = 8;
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time (ISO 8601)', date: 'date', uri: 'URL' };
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: unknown) => String(text).replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
export const code = (text: unknown) => `<code>${escaped(text)}</code>`;
export const json = (value: unknown) => escaped(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
/** Text of the document: its backquotes and double asterisks have a meaning. */
export const prose = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
export const paragraphs = (text = '') =>
  text
    .split('\n\n')
    .map((one) => one && `<p>${prose(one)}</p>`)
    .join('\n');

/** A type as HTML with links to the objects: `list of Market`, `number from 0 to 100, or null`. */
export function typeInWords(schema: Schema): string {
  const { $ref, anyOf, enum: values, type = 'any value' } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#${name}">${name}</a>`;
  }
  if (anyOf) return alternatives([...new Set(anyOf.map(typeInWords))]);
  if (values) return values.length > MAX_VALUES ? `one of ${values.length} values` : alternatives(values.map(code));
  if (schema.const !== undefined) return code(schema.const);
  return alternatives([type].flat().map((one) => wordsOf(one, schema)));
}

/** The values that `typeInWords` only counts. */
export function foldedValues({ enum: values, items, examples }: Schema): readonly unknown[] {
  const all = values ?? items?.enum ?? examples ?? [];
  return all.length > MAX_VALUES ? all : [];
}

function wordsOf(type: string, schema: Schema): string {
  const { items = {}, additionalProperties, format = '', minimum, maximum, pattern } = schema;
  switch (type) {
    case 'integer':
      return `whole number${range(minimum, maximum)}`;
    case 'number':
      return `number${range(minimum, maximum)}`;
    case 'boolean':
      return `${code(true)} or ${code(false)}`;
    case 'array':
      return `list of ${typeInWords(items)}${bounds('entries', schema.minItems, schema.maxItems)}`;
    case 'object':
      return typeof additionalProperties === 'object' ? `object of ${typeInWords(additionalProperties)} by key` : type;
    case 'string': {
      const word =
        pattern === undefined ? (FORMATS[format] ?? 'text') : `<span title="${escaped(pattern)}">text</span>`;
      return `${word}${bounds('characters', schema.minLength, schema.maxLength)}`;
    }
    default:
      return type;
  }
}

function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  const comma = words.some((one) => / (of|from) /.test(one)) ? ',' : '';
  return `${words.slice(0, -1).join(', ')}${comma} or ${words.at(-1)}`;
}

function range(minimum?: number, maximum?: number): string {
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : ` ${minimum === undefined ? 'up to' : 'to'} ${maximum}`;
  return `${from}${to}`.replaceAll('-', '−');
}

/** That a text or a list is not empty needs no words. */
function bounds(unit: string, minimum = 0, maximum?: number): string {
  const from = minimum > 1 ? (maximum === undefined ? `at least ${minimum}` : `${minimum} to`) : '';
  const to = maximum === undefined ? '' : `${from ? '' : 'at most '}${maximum}`;
  return from || to ? ` (${[from, to].filter(Boolean).join(' ')} ${unit})` : '';
}
