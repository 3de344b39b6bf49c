/** The tables of docs/api.md, from the contract. `npm run openapi` writes them between their markers. */
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS, type MarketField } from '../../lambda/core/contract/market-fields.ts';
import { type Parameter, parameterSchema } from '../../lambda/core/contract/parameters.ts';
import { DOCUMENTED_ROUTES, ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { SCHEMAS } from '../../lambda/core/contract/schemas.ts';

const TABLES: Readonly<Record<string, () => string>> = {
  core: () => endpointTable(true),
  more: () => endpointTable(false),
  'list-parameters': () =>
    parameterTable({ ...ROUTES['search-markets'].parameters, ...ROUTES['list-markets'].parameters }),
  'clob-parameters': () =>
    parameterTable({ ...ROUTES['get-order-book'].parameters, ...ROUTES['get-prices-history'].parameters }),
  'default-fields': () => marketTable(DEFAULT_MARKET_FIELDS),
  'other-fields': () => marketTable(MARKET_FIELDS.filter((name) => !DEFAULT_MARKET_FIELDS.includes(name as never))),
  status: () => fieldTable(SCHEMAS.Status.properties),
};

/** The text with current tables. @throws Error if the text lacks the markers of a table */
export function withTables(text: string): string {
  return Object.entries(TABLES).reduce((current, [name, table]) => {
    const [begin, end] = [`<!-- table: ${name} -->\n`, '<!-- end -->'];
    const [before, rest, another] = current.split(begin);
    if (before === undefined || rest === undefined || another !== undefined)
      throw new Error(`docs/api.md does not have "${begin.trim()}" once`);
    return `${before}${begin}\n${table()}\n\n${rest.slice(rest.indexOf(end))}`;
  }, text);
}

function endpointTable(isCore: boolean): string {
  const routes = Object.values<Route>(DOCUMENTED_ROUTES).filter(({ core }) => (core === true) === isCore);
  const rows = routes.map(({ path, summary }) => [`\`${path}\``, summary]);
  return markdown(['Endpoint', 'What it does'], rows);
}

function parameterTable(parameters: Readonly<Record<string, Parameter>>): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => {
    const values = parameter.kind === 'choice' ? parameter.values : undefined;
    const required = parameter.required ? ' **Required.**' : '';
    return [
      `\`${name}\``,
      typeText(parameterSchema(parameter), parameter.description, values),
      parameter.description + required,
    ];
  });
  return markdown(['Parameter', 'Type', 'Meaning'], rows);
}

function marketTable(names: readonly MarketField[]): string {
  const { properties } = SCHEMAS.MarketSelection;
  return fieldTable(Object.fromEntries(names.map((name) => [name, properties[name]])));
}

function fieldTable(properties: Readonly<Record<string, Json>>): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\``,
    typeText(schema, schema.description),
    String(schema.description),
  ]);
  return markdown(['Field', 'Type', 'Meaning'], rows);
}

/** The type, and the unit that the description names. */
function typeText(schema: Json, description: unknown, values?: readonly string[]): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (schema.$ref) return 'token';
  if (schema.anyOf || schema.format === 'date-time') return orNull(schema, 'time');
  const { type, format, maximum, minLength, maxLength, default: usual } = schema;
  const name = String(Array.isArray(type) ? type[0] : type);
  const [, unit = maximum === 1 ? '0 to 1' : undefined] =
    / in (USD|percentage points|percent|seconds)/.exec(String(description)) ?? [];
  const length = minLength && maxLength ? `${minLength} to ${maxLength} characters` : undefined;
  const start = usual === undefined ? undefined : `default ${usual}`;
  const words = [format === 'uri' ? 'address' : name === 'array' ? 'list' : name, unit, length, start];
  return orNull(schema, words.filter(Boolean).join(', '));
}

function orNull({ type }: Json, text: string): string {
  return Array.isArray(type) ? `${text} or null` : text;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, head.map(() => '---'), ...rows];
  return cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
