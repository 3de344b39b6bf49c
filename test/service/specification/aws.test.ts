import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROUTES, type Route } from '../../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../../lambda/core/contract/route-type.ts';
import { only, resources, template } from '../../lib/templates.ts';
import { SENTENCES, sentence } from './sentences.ts';

describe('on AWS', () => {
  const dev = template('dev');
  const typesOf = (service: string) =>
    Object.values(dev.Resources).flatMap(({ Type }) => (Type.startsWith(`AWS::${service}::`) ? [Type] : []));

  sentence(39, () => {
    const { app } = JSON.parse(readFileSync('cdk.json', 'utf8'));
    expect(app).toContain('bin/market-data-proxy.ts');
    expect(dev.Outputs).toHaveProperty('BaseUrl');
  });

  sentence(40, () => {
    const plans = resources(dev, 'AWS::ApiGateway::UsagePlan').map(([, { Properties }]) => Properties.Throttle);
    expect(plans).toContainEqual({ RateLimit: 20, BurstLimit: 200 });
    for (const [, { Properties }] of resources(dev, 'AWS::ApiGateway::Method'))
      expect(Properties.ApiKeyRequired).toBe(true);
  });

  sentence(41, () => {
    const functions = resources(dev, 'AWS::Lambda::Function').map(([id]) => id);
    const names = Object.entries<Route>(ROUTES).flatMap(([name, route]) => (isPageRoute(route) ? [] : [name]));
    for (const name of [...names, 'get-page']) {
      const id = `Read${name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
      expect([name, functions.filter((one) => one.slice(0, -8) === id)]).toEqual([name, [expect.any(String)]]);
    }
  });

  sentence(42, () => {
    const expressions = resources(dev, 'AWS::Scheduler::Schedule').map(([, { Properties }]) =>
      JSON.stringify(Properties),
    );
    const runs = expressions.filter((text) => /\\"kind\\":\\"(full|prices)\\"/.test(text));
    const minutes = runs.flatMap((text) => /cron\(([\d,/*]+) /.exec(text)?.[1]?.split(',') ?? []);
    expect(new Set(minutes).size).toBe(60);
  });

  sentence(43, () => {
    const snapshots = resources(dev, 'AWS::DynamoDB::Table').filter(
      ([id]) => id.startsWith('Snapshot') || id.includes('Snapshot'),
    );
    expect(snapshots).toHaveLength(1);
  });

  sentence(44, () => {
    expect(typesOf('CloudWatch').filter((type) => type === 'AWS::CloudWatch::Alarm').length).toBeGreaterThan(5);
    expect(only(dev, 'AWS::CloudWatch::Dashboard')).toBeDefined();
  });
});

it('each sentence of docs/specification.md has one test', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.test.ts'));
  const shown = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^ {2}sentence\((\d+),/gm)].map(([, number]) =>
      Number(number),
    ),
  );
  expect(shown.sort((a, b) => a - b)).toEqual([...SENTENCES.keys()]);
});

it('each sentence of docs/specification.md quotes docs/request.md', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ');
  const request = plain(readFileSync('docs/request.md', 'utf8'));
  for (const [number, text] of SENTENCES) {
    const quotes = Array.from(text.matchAll(/"([^"]+)"/g), ([, quote = '']) => quote);
    expect([number, quotes.length > 0, quotes.filter((quote) => !request.includes(quote))]).toEqual([number, true, []]);
  }
});
