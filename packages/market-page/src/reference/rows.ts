/** The tables of the reference, as HTML lists: each row has a name, a type and a text. */
import type { Response, Schema } from './api-document.ts';
import { code, foldedValues, prose, sentence, typeInWords } from './words.ts';

/** An object is shown as its difference to another one only if that one has this many fields. */
const MIN_BASE_FIELDS = 5;

/** The objects of the API document by name, such as `Market`. */
export type Schemas = Readonly<Record<string, Schema>>;

/** The HTML of all items, one below the other. */
export const listHtml = <T>(items: readonly T[], write: (item: T) => string) =>
  items.map(write).join('\n');

/** A table. @param items its rows as HTML */
export const tableHtml = (items: readonly string[]) => `<ul class="rows">${items.join('\n')}</ul>`;

/** A row of a table. @param field the input or select element of a parameter */
export const rowHtml = (name: string, type: string, text: string, field = '') =>
  `<li${field && ' class="field"'}><div>${name} <small>${type}</small></div>${field}<div>${text}</div></li>`;

/**
 * The rows of one status, one for each error code. The description of a status lists its codes:
 * `` `not_found`: the path does not exist; `no_market`: … ``. The script of the reference finds the
 * row of an error by its `data-error`.
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
 * The fields of an object. If it repeats most of an earlier one, only the difference: "The fields
 * of Market without spread. These differ or are added: …".
 */
export function fieldRows(schema: Schema, schemas: Schemas = {}): string {
  const { properties, required = [] } = schema;
  if (!properties) return `<p>${typeInWords(schema)}</p>`;
  const base = baseOf(schema, schemas);
  if (!base) return tableHtml(propertyRows(schema));
  const { name, properties: known } = base;
  const absent = Object.keys(known).filter((property) => !(property in properties));
  const others = Object.entries(properties).filter(
    ([property, one]) => !isSame(one, known[property]),
  );
  const without = absent.length > 0 ? ` without ${absent.map(code).join(', ')}` : '';
  const optional = required.length === 0 ? '; each may be absent' : '';
  const link = `The fields of <a href="#${name}">${name}</a>${without}${optional}`;
  const changed = propertyRows({ ...schema, properties: Object.fromEntries(others) });
  const end = changed.length > 0 ? '. These differ or are added:' : '.';
  return `<p>${link}${end}</p>${tableHtml(changed)}`;
}

const isSame = (a: Schema, b: Schema | undefined) => JSON.stringify(a) === JSON.stringify(b);

/** An object with its fields. */
interface Base {
  readonly name: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

/** The earlier object that shares the most fields with this one, if those are most of its own. */
function baseOf(schema: Schema, schemas: Schemas): Base | undefined {
  const fields = Object.entries(schema.properties ?? {});
  let base: Base | undefined;
  let mostShared = 0;
  for (const [name, earlier] of Object.entries(schemas)) {
    if (earlier === schema) break;
    const { properties = {} } = earlier;
    const shared = fields.filter(([field, one]) => isSame(one, properties[field])).length;
    if (shared > mostShared) {
      base = { name, properties };
      mostShared = shared;
    }
  }
  const baseFields = Object.keys(base?.properties ?? {}).length;
  const isSimilar = mostShared > baseFields / 2;
  return baseFields >= MIN_BASE_FIELDS && isSimilar ? base : undefined;
}

/** A row for each field. The fields of a nested object follow it, as in `outcomes[].label`. */
function propertyRows({ properties = {}, required = [] }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, one]) => {
    const absent = required.includes(name) || required.length === 0 ? '' : '; may be absent';
    const inner = one.items?.properties
      ? propertyRows(one.items, `${prefix}${name}[].`)
      : propertyRows(one, `${prefix}${name}.`);
    const text = prose(one.description ?? '') + foldedValues(one);
    return [rowHtml(code(prefix + name), typeInWords(one) + absent, text), ...inner];
  });
}
