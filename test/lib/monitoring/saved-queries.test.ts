/**
 * The stack saves queries of CloudWatch Logs Insights, which docs/runbook.md names. They read log
 * lines by the names of their fields, so a wrong name finds nothing. A query looks like this:
 *
 *     filter message = "Refused by the rate limit"
 *     | stats count(*) as rejections by caller
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { only, propertiesOf, template } from '../templates.ts';

/** The texts of the queries by path: `market-data-proxy-prod/rejected-clients`. */
const QUERIES = new Map(
  propertiesOf(template('prod'), 'AWS::Logs::QueryDefinition').map(({ Name, QueryString }) => [
    String(Name),
    String(QueryString),
  ]),
);
const FOLDER = 'market-data-proxy-prod/';
const textOf = (name: string): string => QUERIES.get(`${FOLDER}${name}`) ?? '';

/** The runbook without line breaks, which can divide a phrase. */
const RUNBOOK = readFileSync('docs/runbook.md', 'utf8').replaceAll(/\s+/g, ' ');

describe('the saved queries', () => {
  it('are in a folder of the stack', () => {
    expect(QUERIES.size).toBeGreaterThan(0);
    for (const path of QUERIES.keys()) expect(path).toMatch(/^market-data-proxy-prod\/[a-z-]+$/);
  });

  it('are those that the runbook names', () => {
    const names = [...QUERIES.keys()].map((path) => path.replace(FOLDER, ''));
    for (const name of names) expect(RUNBOOK).toContain(`\`${name}\``);
    for (const [, named] of RUNBOOK.matchAll(/query `([a-z-]+)`/gi)) expect(names).toContain(named);
  });

  it('search for messages that the functions log, as the runbook does', () => {
    const messages = [RUNBOOK, ...QUERIES.values()].flatMap((text) =>
      Array.from(text.matchAll(/message (?:= )?"([^"]+)"/g), ([, message]) => message),
    );
    const entries = readdirSync('lambda', { recursive: true, withFileTypes: true });
    const sources = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    const code = sources.join('\n');
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !code.includes(`'${message}`))).toEqual([]);
  });
});

it('error-responses shows what a failed check received and expected', () => {
  const [, columns = ''] = /display (.+)/.exec(textOf('error-responses')) ?? [];
  const fields = ['path', 'status', 'excerpt', 'error.message'];
  expect(columns.split(', ')).toEqual(expect.arrayContaining(fields));
});

it.each([
  {
    query: 'rejected-clients',
    groupedBy: ['caller'],
    file: 'lambda/io/rate-limit/rate-limiter.ts',
    // The line of the file that logs these fields.
    logged: "info('Refused by the rate limit', { caller:",
  },
  {
    query: 'upstream-failures',
    groupedBy: ['bin(5m)', 'service', 'upstream', 'route', 'failure', 'status'],
    file: 'lambda/io/upstream/client.ts',
    // Each log line also has a time and its service.
    logged: 'fields = { upstream: this.#name, route, failure, status,',
  },
])('$query groups by fields that the functions log', ({ query, groupedBy, file, logged }) => {
  const [, groups = ''] = /stats .* by (.+)/.exec(textOf(query)) ?? [];
  expect(groups.split(', ')).toEqual(groupedBy);
  expect(readFileSync(file, 'utf8')).toContain(logged);
});

it('requests reads fields of the access log of API Gateway', () => {
  const { properties: stage } = only(template('prod'), 'AWS::ApiGateway::Stage');
  // Such as `{"route":"$context.resourcePath","latencyMs":$context.responseLatency}`.
  const { Format: format } = stage.AccessLogSetting as { Format: string };
  const logged = Array.from(format.matchAll(/"(\w+)":"?\$context/g), ([, name]) => name);
  // Such as `stats pct(latencyMs, 99) as p99 by route, method`.
  const text = textOf('requests');
  const measured = Array.from(text.matchAll(/(?:pct|sum)\((\w+)/g), ([, name]) => name);
  const [, groups = ''] = /stats .* by (.+)/.exec(text) ?? [];
  expect(measured).toHaveLength(2);
  expect(logged).toEqual(expect.arrayContaining([...measured, ...groups.split(', ')]));
  expect(format).toContain('"route":"$context.resourcePath"');
});
