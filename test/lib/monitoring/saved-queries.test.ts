import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { only, resources, template } from '../templates.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
/** The same without line breaks. */
const PROSE = RUNBOOK.replaceAll(/\s+/g, ' ');

/** The texts of the queries by name. */
const QUERIES = new Map(
  resources(template('prod'), 'AWS::Logs::QueryDefinition').map(([, { Properties }]) => [
    String(Properties.Name),
    String(Properties.QueryString),
  ]),
);
const FOLDER = 'market-data-proxy-prod/';
const textOf = (name: string): string => QUERIES.get(`${FOLDER}${name}`) ?? '';

describe('the saved queries', () => {
  it('are in a folder of the stack', () => {
    expect(QUERIES.size).toBeGreaterThan(0);
    for (const path of QUERIES.keys()) expect(path).toMatch(/^market-data-proxy-prod\/[a-z-]+$/);
  });

  it('are those that the runbook names', () => {
    const names = [...QUERIES.keys()].map((path) => path.replace(FOLDER, ''));
    for (const name of names) expect(RUNBOOK).toContain(`\`${name}\``);
    for (const [, named] of PROSE.matchAll(/query `([a-z-]+)`/gi)) expect(names).toContain(named);
  });

  it('of error responses show what a failed check received and expected', () => {
    const [, columns = ''] = /display (.+)/.exec(textOf('error-responses')) ?? [];
    const fields = ['path', 'status', 'excerpt', 'error.message'];
    expect(columns.split(', ')).toEqual(expect.arrayContaining(fields));
  });

  it('of requests read fields of the access log', () => {
    const [, { Properties: stage }] = only(template('prod'), 'AWS::ApiGateway::Stage');
    const { Format: format } = stage.AccessLogSetting as { Format: string };
    const logged = Array.from(format.matchAll(/"(\w+)":"?\$context/g), ([, name]) => name);
    const text = textOf('requests');
    const measured = Array.from(text.matchAll(/(?:pct|sum)\((\w+)/g), ([, name]) => name);
    const [, groups = ''] = /\bby (.+)/.exec(text) ?? [];
    expect(measured).toHaveLength(2);
    expect(logged).toEqual(expect.arrayContaining([...measured, ...groups.split(', ')]));
    expect(format).toContain('"route":"$context.resourcePath"');
  });

  // The expression finds the names of the fields in the code that logs them.
  it.each([
    ['rejected-clients', 'lambda/io/rate-limit/rate-limiter.ts', /limit', \{ (caller):/],
    [
      'upstream-failures',
      'lambda/io/upstream/client.ts',
      /fields = \{ (upstream): .+?, (route), (failure), (status),/,
    ],
  ])('%s group by fields that the functions log', (name, file, logged) => {
    const [, groups = ''] = /stats .*\bby (?:bin\(5m\), service, )?(.+)/.exec(textOf(name)) ?? [];
    expect(groups.split(', ')).toEqual(logged.exec(readFileSync(file, 'utf8'))?.slice(1));
  });

  it('and the runbook name messages that the functions log', () => {
    const texts = [PROSE, ...QUERIES.values()];
    const messages = texts.flatMap((text) =>
      [...text.matchAll(/message (?:= )?"([^"]+)"/g)].map(([, found]) => found),
    );
    const files = readdirSync('lambda', { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const code = files
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
      .join('\n');
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => !code.includes(`'${message}`))).toEqual([]);
  });
});
