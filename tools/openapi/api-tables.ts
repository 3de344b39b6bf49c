/** The tables of docs/api.md, from the contract. `npm run openapi` writes them between their markers. */
import { EXAMPLES } from '../../lambda/core/contract/examples.ts';
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS, type MarketField } from '../../lambda/core/contract/market-fields.ts';
import { type Parameter, parameterSchema } from '../../lambda/core/contract/parameters.ts';
import { DOCUMENTED_ROUTES, ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { SCHEMAS } from '../../lambda/core/contract/schemas.ts';

/** Characters of an example. Ids and addresses are longer. */
const MAX_EXAMPLE = 24;
/** Fields that the example of the API document does not have. */
const OTHER_EXAMPLES: Partial<Record<MarketField, string>> = {
  outcome: 'Over',
  groupItemTitle: 'May 31',
  category: 'tech',
  image: 'https://example.com/museum.png',
};

const TABLES: Readonly<Record<string, () => string>> = {
  core: () => endpointTable(true),
  more: () => endpointTable(false),
  'list-parameters': () =>
    parameterTable({ ...ROUTES['search-markets'].parameters, ...ROUTES['list-markets'].parameters }),
  'clob-parameters': () =>
    parameterTable({ ...ROUTES['get-order-book'].parameters, ...ROUTES['get-prices-history'].parameters }),
  'default-fields': () => marketTable(DEFAULT_MARKET_FIELDS),
  'other-fields': () => marketTable(MARKET_FIELDS.filter((name) => !DEFAULT_MARKET_FIELDS.includes(name as never))),
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
    const type =
      parameter.kind === 'choice' ? parameter.values.map(code).join(', ') : typeText(parameterSchema(parameter));
    const required = parameter.required ? ', required' : '';
    return [code(name), `${type}${required}`, code(parameter.example), parameter.description];
  });
  return markdown(['Parameter', 'Type', 'Example', 'Meaning'], rows);
}

function marketTable(names: readonly MarketField[]): string {
  const { properties } = SCHEMAS.MarketSelection;
  const examples = { ...EXAMPLES.MarketWithAllFields, ...OTHER_EXAMPLES };
  return fieldTable(Object.fromEntries(names.map((name) => [name, properties[name]])), examples);
}

function fieldTable(properties: Readonly<Record<string, Json>>, examples: Json): string {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const example = examples[name] === undefined ? '' : code(examples[name]);
    return [code(name), typeText(schema), example, String(schema.description)];
  });
  return markdown(['Field', 'Type', 'Example', 'Meaning'], rows);
}

/** Without the unit, which the description names. */
function typeText(schema: Json): string {
  if (schema.$ref) return 'token';
  const { type, anyOf, format, minLength, maxLength, default: usual } = schema;
  const [name, orNull] = Array.isArray(type) ? type : [type];
  const isTime = anyOf || format === 'date-time';
  const length = minLength && maxLength ? `${minLength} to ${maxLength} characters` : undefined;
  const words = [
    isTime ? 'time' : format === 'uri' ? 'address' : name === 'array' ? 'list' : name,
    length,
    usual === undefined ? undefined : `default ${usual}`,
  ];
  return `${words.filter(Boolean).join(', ')}${orNull ? ' or null' : ''}`;
}

function code(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text}\``;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, head.map(() => '---'), ...rows];
  return cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
