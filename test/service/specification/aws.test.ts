import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { resources, template } from '../../lib/templates.ts';
import { expectSentences, SENTENCES, sentence, shownBy } from './sentences.ts';

describe('on AWS', () => {
  const dev = template('dev');

  shownBy('39. "TypeScript and AWS CDK."', [
    'app',
    'the app of cdk.json runs on the bundled Node.js, whatever Node.js runs the CLI',
  ]);

  sentence('40. "API Gateway with usage-plan throttling"', () => {
    const plans = resources(dev, 'AWS::ApiGateway::UsagePlan').map(([, { Properties }]) => Properties.Throttle);
    expect(plans).toContainEqual({ RateLimit: 5, BurstLimit: 300 });
    for (const [, { Properties }] of resources(dev, 'AWS::ApiGateway::Method'))
      expect(Properties.ApiKeyRequired).toBe(true);
  });

  sentence('41. "one Lambda per endpoint"', () => {
    const ids = resources(dev, 'AWS::Lambda::Function').map(([id]) => id.slice(0, -8));
    const core = ['ReadListMarkets', 'ReadSearchMarkets', 'ReadGetOrderBook', 'ReadGetPricesHistory'];
    expect(ids).toEqual(expect.arrayContaining([...core, 'ReadGetPage']));
    expect(new Set(ids).size).toBe(ids.length);
  });

  sentence('42. "A scheduled Lambda writes snapshots"', () => {
    const expressions = resources(dev, 'AWS::Scheduler::Schedule').map(([, { Properties }]) =>
      JSON.stringify(Properties),
    );
    const runs = expressions.filter((text) => /\\"kind\\":\\"(full|prices)\\"/.test(text));
    // From minute 0 and from minute 1 on, every second minute: together every minute.
    expect(runs.map((text) => /cron\(([\d,/*]+) /.exec(text)?.[1])).toEqual(['0/2', '1/2']);
  });

  sentence('43. "snapshots to DynamoDB"', () => {
    const tables = resources(dev, 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties.KeySchema);
    expect(tables).toContainEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'n', KeyType: 'RANGE' },
    ]);
  });

  sentence('44. "CloudWatch is for the operator."', () => {
    expect(resources(dev, 'AWS::CloudWatch::Alarm').length).toBeGreaterThan(5);
    expect(resources(dev, 'AWS::CloudWatch::Dashboard')).toHaveLength(1);
  });
});

expectSentences(39, 44);

it('each sentence of docs/specification.md quotes docs/request.md', () => {
  const plain = (text: string) => text.replace(/\s+/g, ' ');
  const request = plain(readFileSync('docs/request.md', 'utf8'));
  for (const text of SENTENCES) {
    const quotes = Array.from(text.matchAll(/"([^"]+)"/g), ([, quote = '']) => quote);
    expect([text, quotes.length > 0, quotes.filter((quote) => !request.includes(quote))]).toEqual([text, true, []]);
  }
});
