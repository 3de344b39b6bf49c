import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { only, resources, template } from '../templates.ts';

const RUNBOOK = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
/** The same without line breaks. */
const PROSE = RUNBOOK.replaceAll(/\s+/g, ' ');

describe('the saved queries', () => {
  const queries = resources(template('prod'), 'AWS::Logs::QueryDefinition').map(
    ([, { Properties }]) => Properties,
  );
  const names = queries.map(({ Name }) => String(Name).replace('market-data-proxy-prod/', ''));

  it('are in a folder of the stack', () => {
    expect(names.length).toBeGreaterThan(0);
    for (const { Name } of queries) expect(Name).toMatch(/^market-data-proxy-prod\/[a-z-]+$/);
  });

  it('are those that the runbook names', () => {
    for (const name of names) expect(RUNBOOK).toContain(`\`${name}\``);
    for (const [, named] of PROSE.matchAll(/query `([a-z-]+)`/gi)) expect(names).toContain(named);
  });

  it('of error responses show what a failed check received and expected', () => {
    const query = queries.find(({ Name }) => String(Name).endsWith('/error-responses'));
    const [, columns = ''] = /display (.+)/.exec(String(query?.QueryString)) ?? [];
    const fields = ['path', 'status', 'excerpt', 'error.message'];
    expect(columns.split(', ')).toEqual(expect.arrayContaining(fields));
  });

  it('of requests read fields of the access log', () => {
    const [, { Properties: stage }] = only(template('prod'), 'AWS::ApiGateway::Stage');
    const { Format: format } = stage.AccessLogSetting as { Format: string };
    const logged = Array.from(format.matchAll(/"(\w+)":"?\$context/g), ([, name]) => name);
    const query = queries.find(({ Name }) => String(Name).endsWith('/requests'));
    const text = String(query?.QueryString);
    const measured = Array.from(text.matchAll(/(?:pct|sum)\((\w+)/g), ([, name]) => name);
    const [, groups = ''] = /\bby (.+)/.exec(text) ?? [];
    expect(measured).toHaveLength(2);
    expect(logged).toEqual(expect.arrayContaining([...measured, ...groups.split(', ')]));
    expect(format).toContain('"route":"$context.resourcePath"');
  });

  it.each([
    ['rejected-clients', 'lambda/io/rate-limit/rate-limiter.ts', /limit', \{ (caller):/],
    [
      'upstream-failures',
      'lambda/io/upstream/client.ts',
      /fields = \{ (upstream): .+?, (route), (failure), (status),/,
    ],
  ])('%s group by fields that the functions log', (name, file, logged) => {
    const query = queries.find(({ Name }) => String(Name).endsWith(`/${name}`));
    const [, groups = ''] =
      /stats .*\bby (?:bin\(5m\), service, )?(.+)/.exec(String(query?.QueryString)) ?? [];
    expect(groups.split(', ')).toEqual(logged.exec(readFileSync(file, 'utf8'))?.slice(1));
  });

  it('and the runbook name messages that the functions log', () => {
    const texts = [PROSE, ...queries.map(({ QueryString }) => String(QueryString))];
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
