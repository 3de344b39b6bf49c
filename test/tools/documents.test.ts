/**
 * Lists and numbers in the documents, compared with the code that they describe. Prose is not
 * tested.
 */
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

/** All reasons why the list lacks a market. The compiler finds a missing one. */
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

/** The cells of each row of the table whose first column is named `head`. */
function rowsOf(text: string, head: string): readonly (readonly string[])[] {
  const [, rest = ''] = text.split(new RegExp(`^\\| ${head} .*\\n.*\\n`, 'm'));
  const [table = ''] = rest.split('\n\n');
  return table.split('\n').map((row) => {
    const withoutEnds = row.replace(/^\| | \|$/g, '');
    return withoutEnds.split(' | ').map((cell) => cell.trim());
  });
}

/** The names in backquotes, which begin with a letter. */
const namesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/`([a-z]\w*)`/gi), ([, name = '']) => name);

describe('docs/api.md', () => {
  it('names every endpoint', () => {
    for (const { path } of Object.values<Route>(DOCUMENTED_ROUTES))
      expect(API).toContain(`\`${path}\``);
  });

  it.each([
    { what: 'the most markets of the list', text: grouped(constants.MAX_MARKETS_DEFAULT) },
    { what: 'the limit per client', text: `${constants.REQUESTS_PER_MINUTE} requests` },
    {
      what: 'the wait after the limit',
      text: `\`Retry-After: ${constants.RETRY_AFTER_SECONDS}\``,
    },
    { what: 'the age of a served list', text: `${constants.MAX_AGE_SECONDS} seconds` },
  ])('has the number of $what', ({ text }) => {
    expect(API.replace(/\s+/g, ' ')).toContain(text);
  });

  it('has every error code with its status', () => {
    const documented: [code: string, status: number][] = [];
    // Lines such as "- 404 `no_market`, `no_event`: …".
    for (const [, status, names = ''] of API.matchAll(/^- (\d{3}) (.*?): /gm))
      for (const code of namesIn(names)) documented.push([code, Number(status)]);
    const expected = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
  });

  it('has every reason for a missing market', () => {
    const [list = ''] = API.split('## The list')[1]?.split('\n### ') ?? [];
    const documented: string[] = [];
    for (const [, names = ''] of list.matchAll(/^- (.*?):/gm)) documented.push(...namesIn(names));
    expect(documented.toSorted()).toEqual(Object.keys(SKIP_REASONS).toSorted());
  });

  it('explains every source of a price', () => {
    const [section = ''] = API.split('### Prices and changes')[1]?.split('\n## ') ?? [];
    expect(namesIn(section)).toEqual(expect.arrayContaining([...PRICE_SOURCES]));
  });
});

describe('the README', () => {
  /** The rows of the table of endpoints: their path, their parameters, their error statuses. */
  const endpoints = rowsOf(README, 'Endpoint').map(([path, parameters = '', errors]) => ({
    path,
    parameters,
    errors,
  }));

  it('has the core endpoints with their parameters and errors', () => {
    const core = Object.values<Route>(ROUTES).filter((route) => route.core);
    expect(endpoints.map(({ path }) => path)).toEqual(core.map(({ path }) => `\`${path}\``));
    for (const [n, { parameters, response }] of core.entries()) {
      const statuses = new Set(response.errors.map((code) => ERRORS[code].status));
      expect(endpoints[n]?.errors).toBe([...statuses].sort((a, b) => a - b).join(', '));
      for (const name of namesIn(endpoints[n]?.parameters ?? ''))
        expect(Object.keys(parameters)).toContain(name);
    }
  });

  it('has the defaults and limits of the list and the search', () => {
    const [ofList = [], ofSearch = []] = endpoints.map(({ parameters }) =>
      parameters.match(/\d+/g)?.map(Number),
    );
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
  // Such as `| 33 | "60 requests per minute per IP"`.
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
  // Lines such as "- `partnerRate` (10; 50): …", with the default, and the value in `prod`.
  const lines = section.matchAll(/^- `(\w+)`(?: \((.+?)\))?: /gm);
  const documented = Array.from(lines, ([, name, values]) => [name, values ?? '–']);
  const expected = Object.entries(SETTINGS).map(([name, setting]) => {
    const values = name in prod ? [setting.default, prod[name]] : [setting.default];
    return [name, values.map(text).join('; ')];
  });
  expect(documented).toEqual(expected);
});

it.each(Object.entries(COLUMNS))('docs/archive.md has every column of %s', (file, columns) => {
  const [, section = ''] = read('docs/archive.md').split(`\n**${file}**`);
  const [, list = ''] = section.split('\n\n');
  const documented: string[] = [];
  for (const [, names = ''] of list.matchAll(/^- (.*?): /gm))
    documented.push(...(names.match(/\w+/g) ?? []));
  expect(documented.toSorted()).toEqual(Object.keys(columns).toSorted());
});
