/** The lists of docs/api.md, from the contract. `npm run openapi` writes them between their markers. */
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { DEFAULT_MARKET_FIELDS, MARKET_FIELDS, type MarketField } from '../../lambda/core/contract/market-fields.ts';
import { type Parameter, parameterSchema } from '../../lambda/core/contract/parameters.ts';
import { DOCUMENTED_ROUTES, ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { SCHEMAS } from '../../lambda/core/contract/schemas.ts';

const LISTS: Readonly<Record<string, () => readonly string[]>> = {
  core: () => endpoints(true),
  more: () => endpoints(false),
  'list-parameters': () =>
    parameterList({ ...ROUTES['search-markets'].parameters, ...ROUTES['list-markets'].parameters }),
  'clob-parameters': () =>
    parameterList({ ...ROUTES['get-order-book'].parameters, ...ROUTES['get-prices-history'].parameters }),
  'default-fields': () => marketFields(DEFAULT_MARKET_FIELDS),
  'other-fields': () => marketFields(MARKET_FIELDS.filter((name) => !DEFAULT_MARKET_FIELDS.includes(name as never))),
  status: () => fields(SCHEMAS.Status.properties),
};

/** The text with current lists. @throws Error if the text lacks the markers of a list */
export function withLists(text: string): string {
  return Object.entries(LISTS).reduce((current, [name, items]) => {
    const [begin, end] = [`<!-- list: ${name} -->\n`, '<!-- end -->'];
    const [before, rest, another] = current.split(begin);
    if (before === undefined || rest === undefined || another !== undefined)
      throw new Error(`docs/api.md does not have "${begin.trim()}" once`);
    const list = items().map((item) => `- ${item}`);
    return `${before}${begin}\n${list.join('\n')}\n\n${rest.slice(rest.indexOf(end))}`;
  }, text);
}

function endpoints(isCore: boolean): readonly string[] {
  const routes = Object.values<Route>(DOCUMENTED_ROUTES).filter(({ core }) => (core === true) === isCore);
  return routes.map(({ path, summary }) => `\`${path}\`: ${summary}`);
}

function parameterList(parameters: Readonly<Record<string, Parameter>>): readonly string[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const type =
      parameter.kind === 'choice'
        ? parameter.values.map((value) => `\`${value}\``).join(', ')
        : typeText(parameterSchema(parameter));
    return `\`${name}\` (${type}${parameter.required ? ', required' : ''}): ${parameter.description}`;
  });
}

function marketFields(names: readonly MarketField[]): readonly string[] {
  const { properties } = SCHEMAS.MarketSelection;
  return fields(Object.fromEntries(names.map((name) => [name, properties[name]])));
}

function fields(properties: Readonly<Record<string, Json>>): readonly string[] {
  return Object.entries(properties).map(([name, schema]) => `\`${name}\` (${typeText(schema)}): ${schema.description}`);
}

/** The unit is in the description. */
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
