import { type Filter, type LogRecord, lookUp, readFilter } from './logs-insights-filter.ts';
import { Tokens } from './logs-insights-tokens.ts';

/** A row of a result: column by column, where the record has it. */
export type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly of: (record: LogRecord) => unknown;
}
interface Aggregate {
  readonly name: string;
  readonly of: (records: readonly LogRecord[]) => unknown;
}
type Command = (records: readonly LogRecord[]) => readonly LogRecord[];

/**
 * A reader of the language of CloudWatch Logs Insights, as far as this project's queries go: whatever else stands in a
 * query is refused, so that a slip of the pen is one here too. Where the documentation leaves open what becomes of a
 * comparison with a field that a record lacks, it does not hold: a query that needs the other reading has to say so.
 *
 * @throws Error that names what cannot be read
 */
export function runQuery(query: string, records: readonly LogRecord[]): Row[] {
  const parts = query.split('\n| ');
  const commands = parts.map(readCommand);
  const shown = parts.findLast((part) => part.startsWith('display '));
  const columns = shown === undefined ? undefined : readColumns(new Tokens(shown.slice('display '.length)));
  const found = commands.reduce((rest, command) => command(rest), records);
  return columns === undefined ? [...found] : found.map((record) => rowOf(columns, record));
}

function readCommand(text: string): Command {
  const [, name = '', rest = ''] = /^(\w+) (.*)$/s.exec(text) ?? [];
  const tokens = new Tokens(rest);
  const command = COMMANDS[name]?.(tokens);
  if (command === undefined)
    throw new Error(`Not a command of Logs Insights, or none that is known here: ${text}`);
  tokens.end();
  return command;
}

const COMMANDS: Readonly<Record<string, (tokens: Tokens) => Command>> = {
  filter(tokens) {
    const filter: Filter = readFilter(tokens);
    return (records) => records.filter(filter);
  },
  display(tokens) {
    readColumns(tokens);
    return (records) => records;
  },
  fields(tokens) {
    const columns = readColumns(tokens);
    return (records) => records.map((record) => ({ ...record, ...rowOf(columns, record) }));
  },
  stats: readStats,
  sort(tokens) {
    const keys = tokens.list(() => ({
      name: tokens.word(),
      sign: tokens.oneOf('asc', 'desc') === 'asc' ? 1 : -1,
    }));
    return (records) =>
      records.toSorted((one, other) =>
        keys.reduce(
          (order, { name, sign }) => order || sign * compare(lookUp(one, name), lookUp(other, name)),
          0,
        ),
      );
  },
  limit(tokens) {
    const most = tokens.number();
    return (records) => records.slice(0, most);
  },
};

function readStats(tokens: Tokens): Command {
  const aggregates = tokens.list(() => readAggregate(tokens));
  const by = tokens.takes('by') ? readColumns(tokens) : [];
  return (records) => {
    const groups = new Map<string, LogRecord[]>();
    for (const record of records) {
      const key = JSON.stringify(by.map((column) => column.of(record) ?? null));
      groups.set(key, [...(groups.get(key) ?? []), record]);
    }
    return [...groups.values()].map((group) => ({
      ...rowOf(by, group[0] ?? {}),
      ...Object.fromEntries(aggregates.map(({ name, of }) => [name, of(group)])),
    }));
  };
}

const AGGREGATES: Readonly<
  Record<string, (values: readonly number[], argument: number) => number | undefined>
> = {
  count: (values) => values.length,
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  min: (values) => values.toSorted((one, other) => one - other)[0],
  max: (values) => values.toSorted((one, other) => other - one)[0],
  pct: (values, percent) =>
    values.toSorted((one, other) => one - other)[Math.ceil((values.length * percent) / 100) - 1],
};

/** `max(@duration) / 1000 as longest`: the name is asked for, since a column without one cannot be sorted by. */
function readAggregate(tokens: Tokens): Aggregate {
  const name = tokens.word();
  const aggregate = AGGREGATES[name];
  if (aggregate === undefined) throw new Error(`Not a function of stats that is known here: ${name}`);
  tokens.expect('(');
  const field = tokens.takes('*') ? '*' : tokens.word();
  const argument = tokens.takes(',') ? tokens.number() : 0;
  tokens.expect(')');
  const divisor = tokens.takes('/') ? tokens.number() : 1;
  tokens.expect('as');
  return {
    name: tokens.word(),
    of: (records) => {
      const values = records.flatMap((record) =>
        field === '*' ? [1] : (numberOf(lookUp(record, field)) ?? []),
      );
      const value = aggregate(values, argument);
      return value === undefined ? undefined : value / divisor;
    },
  };
}

function readColumns(tokens: Tokens): Column[] {
  return tokens.list(() => {
    const field = tokens.word();
    if (field !== 'bin')
      return { name: tokens.takes('as') ? tokens.word() : field, of: (one) => lookUp(one, field) };
    tokens.expect('(');
    const minutes = Number(/^(\d+)m$/.exec(tokens.word())?.[1]);
    if (!(minutes > 0)) throw new Error('bin() takes minutes, as in bin(5m)');
    tokens.expect(')');
    const name = tokens.takes('as') ? tokens.word() : `bin(${minutes}m)`;
    return { name, of: (one) => Math.floor(Number(lookUp(one, '@timestamp')) / (minutes * 60_000)) };
  });
}

function rowOf(columns: readonly Column[], record: LogRecord): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap(({ name, of }) => {
      const value = of(record);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function numberOf(value: unknown): number | undefined {
  const number =
    typeof value === 'boolean' || value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isNaN(number) ? undefined : number;
}

function compare(one: unknown, other: unknown): number {
  const [first, second] = [numberOf(one), numberOf(other)];
  if (first !== undefined && second !== undefined) return first - second;
  return String(one ?? '').localeCompare(String(other ?? ''));
}
