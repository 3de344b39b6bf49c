import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as constants from '../../lambda/core/contract/constants.ts';
import { ERRORS } from '../../lambda/core/contract/errors.ts';
import { PRICE_SOURCES } from '../../lambda/core/contract/market-fields.ts';
import { DOCUMENTED_ROUTES, ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import type { SkipReason } from '../../lambda/core/domain/snapshot.ts';
import { COLUMNS } from '../../lambda/jobs/archive/day-files.ts';
import { SETTINGS } from '../../lib/config/settings.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const README = read('README.md');
const API = read('docs/api.md');
const grouped = (value: number): string => value.toLocaleString('en');

const SKIP_REASONS: Readonly<Record<SkipReason, true>> = {
  not_an_object: true,
  condition_id: true,
  question: true,
  outcomes: true,
  end_date: true,
  too_long: true,
  version_unknown: true,
  version_missing: true,
  ids_pending: true,
  ids_count: true,
  ids_malformed: true,
  no_order_book: true,
  price: true,
};

/** The cells of the rows of a table, without its head. */
function rowsOf(text: string, head: string): readonly (readonly string[])[] {
  const [, rest = ''] = text.split(new RegExp(`^\\| ${head} .*\\n.*\\n`, 'm'));
  const [table = ''] = rest.split('\n\n');
  return table
    .split('\n')
    .map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
}

describe('docs/api.md', () => {
  it('names every endpoint', () => {
    for (const { path } of Object.values<Route>(DOCUMENTED_ROUTES))
      expect(API).toContain(`\`${path}\``);
  });

  it.each([
    ['the most markets of the list', grouped(constants.MAX_MARKETS_DEFAULT)],
    ['the limit per client', `${constants.REQUESTS_PER_MINUTE} requests`],
    ['the wait after the limit', `\`Retry-After: ${constants.RETRY_AFTER_SECONDS}\``],
    ['the age of a served list', `${constants.MAX_AGE_SECONDS} seconds`],
  ])('has the number of %s', (_, number) => {
    expect(API.replace(/\s+/g, ' ')).toContain(number);
  });

  it('has every error code with its status', () => {
    const rows = [...API.matchAll(/^- (\d{3}) (.*?): /gm)];
    const codes = rows.flatMap(([, status, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(status)]),
    );
    expect(Object.fromEntries(codes)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
    );
  });

  it('has every reason for a missing market, and explains every source of a price', () => {
    const namesIn = (text: string) => Array.from(text.matchAll(/`(\w+)`/g), ([, name]) => name);
    const [list = ''] = API.split('## The list')[1]?.split('\n### ') ?? [];
    const written = Array.from(list.matchAll(/^- (.*?):/gm)).flatMap(([, names = '']) =>
      namesIn(names),
    );
    expect(written.toSorted()).toEqual(Object.keys(SKIP_REASONS).toSorted());
    const [section = ''] = API.split('### Prices and changes')[1]?.split('\n## ') ?? [];
    expect(namesIn(section)).toEqual(expect.arrayContaining([...PRICE_SOURCES]));
  });
});

describe('the README', () => {
  it('has the core endpoints with their defaults, limits and errors', () => {
    const core = Object.values<Route>(ROUTES).filter((route) => route.core);
    const rows = rowsOf(README, 'Endpoint');
    expect(rows.map(([path]) => path)).toEqual(core.map(({ path }) => `\`${path}\``));
    for (const [n, { parameters, response }] of core.entries()) {
      const [, named = '', errors] = rows[n] ?? [];
      const statuses = new Set(response.errors.map((code) => ERRORS[code].status));
      expect(errors).toBe([...statuses].sort((a, b) => a - b).join(', '));
      for (const [, name = ''] of named.matchAll(/`([a-zA-Z_]+)`/g))
        expect(Object.keys(parameters)).toContain(name);
    }
    const [ofList = [], ofSearch = []] = rows.map(([, cell]) => cell?.match(/\d+/g)?.map(Number));
    expect(ofList).toContain(constants.MARKETS_LIMIT_DEFAULT);
    expect(ofSearch.toSorted((a, b) => a - b)).toEqual([
      constants.QUERY_MIN_CHARACTERS,
      constants.SEARCH_LIMIT_DEFAULT,
      constants.MAX_SEARCH_LIMIT,
      constants.QUERY_MAX_CHARACTERS,
    ]);
  });

  it('says what a deployment costs, as docs/costs.md computes it', () => {
    const costs = read('docs/costs.md');
    const [, idle] = /## Idle\n.*?\*\*Total: ([\d.]+)\*\*/s.exec(costs) ?? [];
    const [, worstDay] = /## An attack\n.*?- `dev`: .*? = \*\*([\d.]+)\*\*/s.exec(costs) ?? [];
    const amounts = README.match(/[\d.]+(?=\sUSD)/g);
    expect(amounts).toContain(idle);
    expect(amounts).toContain(String(Math.round(Number(worstDay))));
  });
});

it('each sentence of docs/specification.md quotes docs/request.md', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ');
  const request = plain(read('docs/request.md'));
  const sentences = plain(read('docs/specification.md')).matchAll(
    /[|·:-] (\d+) (?:\| )?"([^"]+)"/g,
  );
  const quotes = Array.from(sentences, ([, number, quote = '']) => ({ number, quote }));
  expect(quotes.length).toBeGreaterThan(40);
  expect(new Set(quotes.map(({ number }) => number)).size).toBe(quotes.length);
  expect(quotes.filter(({ quote }) => !request.includes(quote))).toEqual([]);
});

it('docs/deployment.md has the default of every setting, and what `prod` changes', () => {
  const text = (value: unknown) =>
    typeof value === 'number' ? grouped(value) : String(value ?? '–');
  const prod: Readonly<Record<string, unknown>> = JSON.parse(read('stages/prod.json'));
  const [, section = ''] = read('docs/deployment.md').split('\n## Settings\n');
  const lines = section.matchAll(/^- `(\w+)`(?: \((.+?)\))?: /gm);
  const written = Array.from(lines, ([, name, values]) => [name, values ?? '–']);
  const settings = Object.entries(SETTINGS).map(([name, { default: usual }]) => [
    name,
    [usual, ...(name in prod ? [prod[name]] : [])].map(text).join('; '),
  ]);
  expect(written).toEqual(settings);
});

it.each(Object.entries(COLUMNS))('docs/archive.md has every column of %s', (file, columns) => {
  const [, section = ''] = read('docs/archive.md').split(`\n**${file}**`);
  const [, list = ''] = section.split('\n\n');
  const written = Array.from(
    list.matchAll(/^- (.*?): /gm),
    ([, names = '']) => names.match(/\w+/g) ?? [],
  ).flat();
  expect(written.toSorted()).toEqual(Object.keys(columns).toSorted());
});
