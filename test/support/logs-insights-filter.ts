import type { Tokens } from './logs-insights-tokens.ts';

/** An event of a log as Logs Insights sees it: its own fields begin with `@`, the others are those of the JSON. */
export type LogRecord = Readonly<Record<string, unknown>>;
export type Filter = (record: LogRecord) => boolean;

/** A field by its name; what lies inside another is named with dots. */
export function lookUp(record: LogRecord, name: string): unknown {
  if (name in record) return record[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as LogRecord)[key] : undefined),
      record,
    );
}

/** `or` binds less than `and`, and `and` less than `not`. @throws Error */
export function readFilter(tokens: Tokens): Filter {
  const sides = [readAnd(tokens)];
  while (tokens.takes('or')) sides.push(readAnd(tokens));
  return (record) => sides.some((side) => side(record));
}

function readAnd(tokens: Tokens): Filter {
  const sides = [readNot(tokens)];
  while (tokens.takes('and')) sides.push(readNot(tokens));
  return (record) => sides.every((side) => side(record));
}

function readNot(tokens: Tokens): Filter {
  if (tokens.takes('not')) {
    const inner = readNot(tokens);
    return (record) => !inner(record);
  }
  if (tokens.takes('(')) {
    const inner = readFilter(tokens);
    tokens.expect(')');
    return inner;
  }
  return readCondition(tokens);
}

function readCondition(tokens: Tokens): Filter {
  const field = tokens.word();
  if (field === 'ispresent') {
    tokens.expect('(');
    const name = tokens.word();
    tokens.expect(')');
    return (record) => lookUp(record, name) !== undefined;
  }
  switch (tokens.oneOf('=', '!=', '<', '>', '<=', '>=', 'in', 'like')) {
    case '=':
      return comparison(field, tokens, (value, other) => value === other);
    case '!=':
      return comparison(field, tokens, (value, other) => value !== other);
    case '<':
      return comparison(field, tokens, (value, other) => Number(value) < Number(other));
    case '>':
      return comparison(field, tokens, (value, other) => Number(value) > Number(other));
    case '<=':
      return comparison(field, tokens, (value, other) => Number(value) <= Number(other));
    case '>=':
      return comparison(field, tokens, (value, other) => Number(value) >= Number(other));
    case 'in': {
      tokens.expect('[');
      const values = tokens.list(() => readValue(tokens));
      tokens.expect(']');
      return (record) => values.includes(lookUp(record, field) as string | number);
    }
    default: {
      const text = tokens.take();
      const [, source] = /^\/(.*)\/$/s.exec(text) ?? [];
      if (source === undefined) throw new Error(`like takes a regular expression here, not ${text}`);
      const pattern = new RegExp(source);
      return (record) => pattern.test(String(lookUp(record, field) ?? ''));
    }
  }
}

function comparison(
  field: string,
  tokens: Tokens,
  holds: (value: unknown, other: string | number) => boolean,
): Filter {
  const other = readValue(tokens);
  return (record) => {
    const value = lookUp(record, field);
    return value !== undefined && holds(value, other);
  };
}

function readValue(tokens: Tokens): string | number {
  const next = tokens.next ?? '';
  if (!next.startsWith('"')) return tokens.number();
  return JSON.parse(tokens.take()) as string;
}
