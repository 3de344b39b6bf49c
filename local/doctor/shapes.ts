/** How often each type of value was seen, by the path of keys. */
export type Shapes = Map<string, Map<string, number>>;

/** Deeper values are left out. */
const MAX_DEPTH = 8;
/** Other keys are ids or texts of upstream. */
const FIELD_NAME = /^[A-Za-z_$][\w$]{0,39}$/;
const KINDS_OF_TEXT = [
  ['empty text', /^$/],
  ['number as text', /^-?\d+(\.\d+)?$/],
  ['JSON as text', /^[[{]/],
  ['time as text', /^\d{4}-\d\d-\d\d/],
  ['hex as text', /^0x[0-9a-f]*$/i],
] as const;

/** The type of a value, without the value. */
function typeOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string')
    return KINDS_OF_TEXT.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Adds the types of a value and of all that it contains. */
export function addShapes(shapes: Shapes, value: unknown, path = '', depth = 0): void {
  const counts = shapes.get(path) ?? new Map<string, number>();
  shapes.set(path, counts);
  const type = typeOf(value);
  counts.set(type, (counts.get(type) ?? 0) + 1);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return;
  for (const [key, entry] of Object.entries(value)) {
    const name = Array.isArray(value) ? '[]' : `.${FIELD_NAME.test(key) ? key : '*'}`;
    addShapes(shapes, entry, path + name, depth + 1);
  }
}
