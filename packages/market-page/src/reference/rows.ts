/** The tables of the reference, as HTML lists: each row has a name, a type and a text. */
import type { Response, Schema } from './api-document.ts';
import { code, foldedValues, prose, sentence, typeInWords } from './words.ts';

/** An object is shown as its difference to another one only if that one has this many fields. */
const MIN_BASE_FIELDS = 5;

/** The objects of the API document by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** Items as HTML, one below the other. */
export const list = <T>(items: readonly T[], write: (item: T) => string) =>
  items.map(write).join('\n');

/** A table. @param items its rows as HTML */
export const rows = (items: readonly string[]) => `<ul class="rows">${items.join('\n')}</ul>`;

/** A row of a table. @param field the input or select element of a parameter */
export const row = (name: string, type: string, text: string, field = '') =>
  `<li${field && ' class="field"'}><div>${name} <small>${type}</small></div>${field}<div>${text}</div></li>`;

/**
 * The rows of one status, one for each error code. The description of a status lists its codes:
 * `` `not_found`: the path does not exist; `no_market`: … ``. The script finds a row by `data-error`.
 */
export function errorRows([status, { description }]: readonly [string, Response]): string {
  const parts = description.split(/; (?=`)/).map((part) => {
    const [, name = '', meaning = part] = /^`(\w+)`: (.*)$/s.exec(part) ?? [];
    const title = `${code(status)} ${name && code(name)}`;
    return `<li data-error="${status} ${name}"><div>${title}</div><div>${prose(sentence(meaning))}.</div></li>`;
  });
  return parts.join('\n');
}

/**
 * The fields of an object. If it repeats most of an earlier one, only the difference: "The fields of
 * Market without spread. These differ or are added: …".
 */
export function fieldRows(schema: Schema, schemas: Schemas = {}): string {
  const { properties, required = [] } = schema;
  if (!properties) return `<p>${typeInWords(schema)}</p>`;
  const base = baseOf(schema, schemas);
  if (!base) return rows(propertyRows(schema));
  const [name, { properties: known = {} }] = base;
  const absent = Object.keys(known).filter((property) => !(property in properties));
  const others = Object.entries(properties).filter(
    ([property, one]) => !isSame(one, known[property]),
  );
  const without = absent.length > 0 ? ` without ${absent.map(code).join(', ')}` : '';
  const optional = required.length === 0 ? '; each may be absent' : '';
  const link = `The fields of <a href="#${name}">${name}</a>${without}${optional}`;
  const changed = propertyRows({ ...schema, properties: Object.fromEntries(others) });
  return `<p>${link}${changed.length > 0 ? '. These differ or are added:' : '.'}</p>${rows(changed)}`;
}

const isSame = (a: Schema, b: Schema | undefined) => JSON.stringify(a) === JSON.stringify(b);

/** The earlier object that shares the most fields with this one, if those are most of its own. */
function baseOf(schema: Schema, schemas: Schemas): readonly [string, Schema] | undefined {
  const fields = Object.entries(schema.properties ?? {});
  const sharedWith = ({ properties = {} }: Schema) =>
    fields.filter(([name, one]) => isSame(one, properties[name])).length;
  const earlier = Object.entries(schemas).slice(0, Object.values(schemas).indexOf(schema));
  const [base] = earlier.toSorted(([, a], [, b]) => sharedWith(b) - sharedWith(a));
  if (!base) return undefined;
  const [, baseSchema] = base;
  const baseFields = Object.keys(baseSchema.properties ?? {}).length;
  const isSimilar = sharedWith(baseSchema) > baseFields / 2;
  return baseFields >= MIN_BASE_FIELDS && isSimilar ? base : undefined;
}

/** A row for each field. The fields of an unnamed object follow it, as in `outcomes[].label`. */
function propertyRows({ properties = {}, required = [] }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, one]) => {
    const absent = required.includes(name) || required.length === 0 ? '' : '; may be absent';
    const inner = one.items?.properties
      ? propertyRows(one.items, `${prefix}${name}[].`)
      : propertyRows(one, `${prefix}${name}.`);
    const text = prose(one.description ?? '') + foldedValues(one);
    return [row(code(prefix + name), typeInWords(one) + absent, text), ...inner];
  });
}
