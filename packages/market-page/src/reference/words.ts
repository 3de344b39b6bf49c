// Texts and schemas of the API document as HTML.

import type { Schema } from './api-document.ts';

/** A type with more values names only their number. Its values are folded below. */
const MAX_VALUES = 8;
/** Formats of strings, in words. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time (ISO 8601)',
  date: 'date',
  uri: 'URL',
};
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text with its special characters escaped. */
export const escaped = (text: unknown) =>
  String(text).replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
/** A text in the font of code. */
export const code = (text: unknown) => `<code>${escaped(text)}</code>`;
/** A text with a capital letter. */
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** A text with its `code` and **bold** parts. */
export const prose = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
/** A text with a paragraph for each of its lines. */
export const paragraphs = (text = '') => prose(text).replace(/.+/g, '<p>$&</p>');

/** The type of a value in words, with links: `list of Market`, `number from 0 to 100, or null`. */
export function typeInWords(schema: Schema): string {
  const { $ref, anyOf, enum: values, type = 'any value' } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#${name}">${name}</a>`;
  }
  if (anyOf) return alternatives([...new Set(anyOf.map(typeInWords))]);
  if (values)
    return values.length > MAX_VALUES
      ? `one of ${values.length} values`
      : alternatives(values.map(code));
  if (schema.const !== undefined) return code(schema.const);
  return alternatives([type].flat().map((one) => wordsOf(one, schema)));
}

/** A folded list of the examples, or else of the values that `typeInWords` only counts. */
export function foldedValues({ enum: values, items, examples }: Schema): string {
  const listed = values ?? items?.enum ?? [];
  const all = examples ?? (listed.length > MAX_VALUES ? listed : []);
  return all.length > 0
    ? `<details><summary>Values</summary>${all.map(code).join(' ')}</details>`
    : '';
}

/** One of the types that a schema allows, in words. */
function wordsOf(type: string, schema: Schema): string {
  const { items = {}, additionalProperties, format = '', minimum, maximum, pattern } = schema;
  if (type === 'integer') return `whole number${range(minimum, maximum)}`;
  if (type === 'number') return `number${range(minimum, maximum)}`;
  if (type === 'boolean') return `${code(true)} or ${code(false)}`;
  if (type === 'array')
    return `list${lengthRange(schema.minItems, schema.maxItems, 'values')} of ${typeInWords(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object of ${typeInWords(additionalProperties)} by key`;
  if (type !== 'string') return type;
  const word =
    pattern === undefined
      ? (FORMATS[format] ?? 'text')
      : `<span title="${escaped(pattern)}">text</span>`;
  return `${word}${lengthRange(schema.minLength, schema.maxLength, 'characters')}`;
}

/** "a, b or c". */
function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  // "number from 0 to 100, or null": without the comma, the limit would include the last word.
  const comma = words.some((one) => / (of|from) /.test(one)) ? ',' : '';
  return `${words.slice(0, -1).join(', ')}${comma} or ${words.at(-1)}`;
}

/** The limits of a number: ` from 0 to 100`, ` from 0`, ` up to 100`, or nothing. */
function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return maximum === undefined ? '' : signed(` up to ${maximum}`);
  return signed(maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`);
}

/** A text with real minus signs. */
const signed = (text: string) => text.replaceAll('-', '−');

/** The limits of a length: ` (2 to 200 characters)`. A minimum of 1 goes without saying. */
function lengthRange(
  minimum: number | undefined,
  maximum: number | undefined,
  unit: string,
): string {
  const from = minimum === 1 ? undefined : minimum;
  if (from === undefined && maximum === undefined) return '';
  return ` (${from === undefined ? 'at most' : `${from} to`} ${maximum} ${unit})`;
}
