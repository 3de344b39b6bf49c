import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { stageFromContext } from '../../../../lib/config/stage-context.ts';
import { STAGES } from '../../../../lib/config/stages.ts';

const stage = (context: Record<string, unknown>) => stageFromContext((key) => context[key]);

describe('the stage of the context', () => {
  it('is dev without any', () => {
    expect(stage({})).toEqual(STAGES.dev);
  });

  it('takes overrides as text, as the command line gives them', () => {
    expect(stage({ stage: 'prod', maxMarkets: '500', gammaUrl: 'http://127.0.0.1:4000/' })).toEqual({
      ...STAGES.prod,
      maxMarkets: 500,
      gammaUrl: 'http://127.0.0.1:4000',
    });
  });

  it('takes everything else a deployer may set, as text or as cdk.json has it', () => {
    const given = {
      edge: true,
      edgeCache: 'true',
      waf: 'true',
      apiAccessLog: 'true',
      region: 'eu-central-1',
      domainName: 'markets.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-4e5f',
      alarmEmail: 'on-call@example.com',
      monthlyBudgetUsd: 50,
      refreshMinutes: '5',
      staleIfErrorSeconds: '600',
    };
    expect(stage(given)).toEqual({
      ...STAGES.dev,
      ...given,
      edgeCache: true,
      waf: true,
      apiAccessLog: true,
      refreshMinutes: 5,
      staleIfErrorSeconds: 600,
    });
  });

  it('sets the burst and the stage’s throttle by the public rate', () => {
    expect(stage({ publicRate: '100' })).toEqual({
      ...STAGES.dev,
      publicPlan: { ratePerSecond: 100, burst: 200 },
      stageThrottle: { ratePerSecond: 200, burst: 400 },
    });
  });

  const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-4e5f';
  const domainName = 'markets.example.com';

  it.each([
    [1, 2],
    [8_000, 2],
    [8_001, 3],
    [10_000, 3],
  ])('with %i markets refreshes every %i minutes', (maxMarkets, refreshMinutes) => {
    expect(stage({ maxMarkets: String(maxMarkets) })).toMatchObject({ maxMarkets, refreshMinutes });
  });

  it.each([
    [{ stage: 'production' }, 'stage=production is not allowed: it must be one of dev, prod.'],
    [{ maxMarkets: '10001' }, 'maxMarkets=10001 is not allowed: it must be a whole number from 1 to 10000'],
    [{ maxMarkets: '0' }, 'a whole number from 1 to 10000'],
    [{ maxMarkets: '1e3' }, 'a whole number from 1 to 10000'],
    [{ staleIfErrorSeconds: '' }, 'a whole number from 0 to 86400'],
    [
      { maxMarkets: '10000', refreshMinutes: '2' },
      'refreshMinutes=2 is not allowed: it must be at least 3 with maxMarkets=10000 (the crawl takes about 1.1 s',
    ],
    [{ refreshMinutes: '1.5' }, 'a whole number from 1 to 60'],
    [{ gammaUrl: 'polymarket' }, 'an http or https URL'],
    [{ edge: 'no' }, 'edge=no is not allowed: it must be true or false.'],
    [{ waf: '1' }, 'true or false'],
    [{ edgeCache: 'on' }, 'true or false'],
    [
      { region: 'Frankfurt' },
      'region=Frankfurt is not allowed: it must be an AWS region such as eu-central-1.',
    ],
    [{ alarmEmail: 'me' }, 'an e-mail address'],
    [{ monthlyBudgetUsd: '-1' }, 'a whole number from 1 to 100000'],
    [{ publicRate: '0' }, 'publicRate=0 is not allowed: it must be a whole number from 1 to 5000.'],
    [{ domainName: 'https://example.com', certificateArn }, 'a host name such as markets.example.com'],
    [
      { domainName, certificateArn: certificateArn.replace('us-east-1', 'eu-central-1') },
      'the ARN of an ACM certificate in us-east-1',
    ],
    [{ domainName }, 'domainName and certificateArn belong together'],
    [{ certificateArn }, 'domainName and certificateArn belong together'],
    [{ domainName, certificateArn, edge: 'false' }, 'it cannot go with edge=false'],
  ])('refuses %j', (context, sentence) => {
    expect(() => stage(context)).toThrow(sentence);
  });
});

it('a wrong value reaches the console as its sentence, with no stack trace, and a status of failure', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/market-data-proxy.ts'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', CDK_CONTEXT_JSON: '{"stage":"nope"}' },
  });
  expect(stderr).toBe('Error: The context value stage=nope is not allowed: it must be one of dev, prod.\n');
  expect(status).toBe(1);
});
