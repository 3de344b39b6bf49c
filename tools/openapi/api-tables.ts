/** The tables of docs/api.md, from the contract. `npm run openapi` writes them between their markers. */
import { EXAMPLES } from '../../lambda/core/contract/examples.ts';
import type { Json } from '../../lambda/core/contract/json-schema.ts';
import { DEFAULT_MARKET_FIELDS } from '../../lambda/core/contract/market-fields.ts';
import { DOCUMENTED_ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { SCHEMAS } from '../../lambda/core/contract/schemas.ts';

/** Characters of an example. Ids and addresses are longer. */
const MAX_EXAMPLE = 24;
const TABLES: Readonly<Record<string, () => string>> = {
  core: () => endpointTable(true),
  more: () => endpointTable(false),
  'default-fields': fieldTable,
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

function fieldTable(): string {
  const { properties } = SCHEMAS.MarketSelection;
  const examples: Json = { ...EXAMPLES.MarketWithAllFields, outcome: 'Over' };
  const rows = DEFAULT_MARKET_FIELDS.map((name) => {
    const schema: Json = properties[name];
    return [code(name), typeText(schema), code(examples[name]), String(schema.description)];
  });
  return markdown(['Field', 'Type', 'Example', 'Meaning'], rows);
}

function typeText({ $ref, type, format }: Json): string {
  if ($ref) return 'token';
  const [name, orNull] = Array.isArray(type) ? type : [type];
  return `${format === 'date-time' ? 'time' : name}${orNull ? ' or null' : ''}`;
}

function code(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text}\``;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, head.map(() => '---'), ...rows];
  return cells.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
