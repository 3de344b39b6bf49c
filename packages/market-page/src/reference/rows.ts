import type { Response, Schema } from './api-document.ts';
import { code, foldedValues, prose, sentence, typeInWords } from './words.ts';

/** Objects with fewer fields are written in full. */
const MIN_SHARED = 5;

type Schemas = Readonly<Record<string, Schema>>;

export const rows = (items: readonly string[]) => `<ul class="rows">${items.join('\n')}</ul>`;

export const row = (name: string, type: string, text: string, field = '') =>
  `<li${field && ' class="field"'}><div>${name} <small>${type}</small></div>${field}<div>${text}</div></li>`;

/** One row per code: `` `not_found`: the path does not exist; `no_market`: … ``. */
export function errorRows([status, { description }]: readonly [string, Response]): string {
  const parts = description.split(/; (?=`)/).map((part) => {
    const [, name = '', meaning = part] = /^`(\w+)`: (.*)$/s.exec(part) ?? [];
    const title = `${code(status)} ${name && code(name)}`;
    return `<li data-error="${status} ${name}"><div>${title}</div><div>${prose(sentence(meaning))}.</div></li>`;
  });
  return parts.join('\n');
}

/** An object that repeats most of an earlier one shows only the difference. */
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

function baseOf(schema: Schema, schemas: Schemas): readonly [string, Schema] | undefined {
  const own = Object.entries(schema.properties ?? {});
  const shared = ({ properties = {} }: Schema) =>
    own.filter(([name, one]) => isSame(one, properties[name])).length;
  const earlier = Object.entries(schemas).slice(0, Object.values(schemas).indexOf(schema));
  const [best] = earlier.toSorted(([, a], [, b]) => shared(b) - shared(a));
  const known = Object.keys(best?.[1].properties ?? {}).length;
  return best && known >= MIN_SHARED && shared(best[1]) > known / 2 ? best : undefined;
}

/** Fields of an unnamed object follow it: `outcomes[].label`. */
function propertyRows({ properties = {}, required = [] }: Schema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, one]) => {
    const absent = required.includes(name) || required.length === 0 ? '' : '; may be absent';
    const inner = one.items?.properties ? one.items : one;
    const path = `${prefix}${name}${inner === one ? '.' : '[].'}`;
    const text = prose(one.description ?? '') + foldedValues(one);
    return [
      row(code(prefix + name), typeInWords(one) + absent, text),
      ...propertyRows(inner, path),
    ];
  });
}
