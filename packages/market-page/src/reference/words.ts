import type { Schema } from './api-document.ts';

const MAX_VALUES = 8;
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

export const escaped = (text: unknown) =>
  String(text).replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
export const code = (text: unknown) => `<code>${escaped(text)}</code>`;
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const prose = (text: string) =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>');
export const paragraphs = (text = '') => prose(text).replace(/.+/g, '<p>$&</p>');

/** HTML with links: `list of Market`, `number from 0 to 100, or null`. */
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

/** Values that `typeInWords` only counts, and examples. */
export function foldedValues({ enum: values, items, examples }: Schema): string {
  const listed = values ?? items?.enum ?? [];
  const all = examples ?? (listed.length > MAX_VALUES ? listed : []);
  return all.length > 0
    ? `<details><summary>Values</summary>${all.map(code).join(' ')}</details>`
    : '';
}

function wordsOf(type: string, schema: Schema): string {
  const { items = {}, additionalProperties, format = '', minimum, maximum, pattern } = schema;
  if (type === 'integer') return `whole number${limits(minimum, maximum)}`;
  if (type === 'number') return `number${limits(minimum, maximum)}`;
  if (type === 'boolean') return `${code(true)} or ${code(false)}`;
  if (type === 'array')
    return `list${limits(schema.minItems, schema.maxItems, 'values')} of ${typeInWords(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object of ${typeInWords(additionalProperties)} by key`;
  if (type !== 'string') return type;
  const word =
    pattern === undefined
      ? (FORMATS[format] ?? 'text')
      : `<span title="${escaped(pattern)}">text</span>`;
  return `${word}${limits(schema.minLength, schema.maxLength, 'characters')}`;
}

function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  const comma = words.some((one) => / (of|from) /.test(one)) ? ',' : '';
  return `${words.slice(0, -1).join(', ')}${comma} or ${words.at(-1)}`;
}

/** ` from 0 to 100`, ` (2 to 200 characters)`. */
function limits(minimum?: number, maximum?: number, unit = ''): string {
  const from = unit && minimum === 1 ? undefined : minimum;
  if (from === undefined && maximum === undefined) return '';
  if (unit) return ` (${from === undefined ? 'at most' : `${from} to`} ${maximum} ${unit})`;
  const to = maximum === undefined ? '' : ` ${from === undefined ? 'up to' : 'to'} ${maximum}`;
  return `${from === undefined ? '' : ` from ${from}`}${to}`.replaceAll('-', '−');
}
