import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of a checklist: what a contributor writes into one file. */
export interface Step {
  readonly file: string;
  /** The first line of the table at whose end the lines are written. Absent: the step writes a new file. */
  readonly table?: string;
  readonly lines: string;
  /** Whether the compiler names this file until the step is done. */
  readonly compiled?: true;
}

/** The names that the steps add. */
export const ADDED = { field: 'minimumOrderSize', filter: 'maxTickSize', path: '/api/totals' } as const;

/** The title of each checklist in CONTRIBUTING.md, and its steps in that order. */
export const CHECKLISTS: Readonly<Record<string, readonly Step[]>> = {
  'A new field of a market': [
    {
      file: 'lambda/core/contract/market-fields.ts',
      table: 'const FIELD_ROWS = {',
      lines: `  minimumOrderSize: { from: 'catalogue', default: true, schema: s.amount('Smallest order in shares.') },\n`,
    },
    {
      file: 'lambda/io/polymarket/gamma-market.ts',
      table: '    ...definedFields<Details>({',
      lines: '      minimumOrderSize: asAmount(record.orderMinSize),\n',
      compiled: true,
    },
  ],
  'A new query parameter': [
    {
      file: 'lambda/core/contract/route-table/market-parameters.ts',
      table: 'export const FILTERS = {',
      lines: `  maxTickSize: atMost('minimumTickSize', 'Largest price step, 0 to 1.', '0.001'),\n`,
    },
  ],
  'A new endpoint': [
    {
      file: 'lambda/core/contract/route-table/market-routes.ts',
      table: 'export const MARKET_ROUTES = {',
      lines: `  'get-totals': {
    ...COMMON,
    path: '/api/totals',
    summary: 'Count the active markets',
    description: 'The number of markets in the list.',
    parameters: {},
    response: {
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['markets'],
        properties: { markets: { type: 'integer', minimum: 0, description: 'Number of active markets.' } },
      },
      example: { markets: 2_000 },
      errors: [...NO_DATA],
      headers: ['X-Snapshot-Id'],
    },
  },
`,
    },
    {
      file: 'lambda/io/platform/environment.ts',
      table: 'export const ENVIRONMENT = {',
      lines: `  'get-totals': MARKET_READER,\n`,
    },
    {
      file: 'lambda/app/markets/totals.ts',
      lines: `import type { Endpoint } from '../http/pipeline.ts';
import { type SnapshotEndpointDeps, snapshotResponse } from '../http/response.ts';

/** \`GET /api/totals\`: the number of markets in the newest snapshot. */
export function getTotals(deps: SnapshotEndpointDeps): Endpoint<'get-totals'> {
  return async ({ headers }) => {
    const snapshot = await deps.snapshots.latest();
    const body = () => ({ body: JSON.stringify({ markets: snapshot.length }), headers: {} });
    return snapshotResponse(deps, snapshot, { headers, query: ['get-totals'] }, body);
  };
}
`,
    },
    {
      file: 'lambda/handlers/get-totals.ts',
      lines: `import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { getTotals } from '../app/markets/totals.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-totals', (context) => getTotals(snapshotDeps(context)));
`,
    },
  ],
};

/** @throws Error if the file is not as the step expects it */
export function apply({ file, table, lines }: Step, root: string): void {
  const path = join(root, file);
  if (table === undefined) {
    writeFileSync(path, lines, { flag: 'wx' });
    return;
  }
  const text = readFileSync(path, 'utf8');
  const [indent = ''] = /^ */.exec(table) ?? [];
  const start = text.indexOf(`\n${table}\n`);
  const end = text.indexOf(`\n${indent}}`, start + 1);
  if (start < 0 || end < 0) throw new Error(`${file} has no table ${table}`);
  writeFileSync(path, `${text.slice(0, end + 1)}${lines}${text.slice(end + 1)}`);
}

/** The steps of a checklist whose file the text of CONTRIBUTING.md does not name, neither itself nor its folder. */
export function unnamedSteps(contributing: string, title: string): readonly string[] {
  const [, section = ''] = contributing.split(`**${title}**\n`);
  const [text = ''] = section.split(/\n\*\*|\n## /);
  const paths = Array.from(text.matchAll(/`(lambda\/[^`]+)`/g), ([, path = '']) => path);
  const files = CHECKLISTS[title]?.map(({ file }) => file) ?? [];
  const isNamed = (file: string) => paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));
  return files.filter((file) => !isNamed(file));
}
