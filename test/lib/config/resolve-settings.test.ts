import { describe, expect, it } from '@jest/globals';
import {
  type Context,
  regionOfEnvironment,
  resolveSettings,
  STAGE_FILES,
} from '../../../lib/config/resolve-settings.ts';
import { SETTING_NAMES, StageError } from '../../../lib/config/settings.ts';
import { stageConfig } from '../../../lib/config/stage-config.ts';

const REGION = 'eu-west-1';

/** The files of `stages/` by stage. A text is the file itself, any other value its JSON. */
function files(contents: Readonly<Record<string, unknown>>) {
  return {
    names: () => Object.keys(contents),
    read: (name: string) => {
      const content = contents[name];
      return typeof content === 'string' ? content : JSON.stringify(content);
    },
  };
}

/** Resolves the settings from the options -c, the file of the stage dev, and the environment. */
function resolve(context: Context, file: unknown = {}, region: string | undefined = REGION) {
  return resolveSettings(context, region, files({ dev: file, prod: { production: true } }));
}

describe('the settings of a stage', () => {
  it('are at most 16', () => {
    expect(SETTING_NAMES.length).toBeLessThanOrEqual(16);
  });

  it('are the defaults, then the file, then the context [sentence 22]', () => {
    const { settings } = resolve(
      { publicRate: '50', edge: 'false' },
      { publicRate: 40, partnerRate: 20, edge: true },
    );
    expect(settings).toMatchObject({
      publicRate: 50,
      partnerRate: 20,
      maxMarkets: 2_000,
      edge: false,
    });
  });

  it('are those of dev unless the context names another stage', () => {
    expect(resolve({}).stage).toBe('dev');
    expect(resolve({ stage: 'prod' })).toMatchObject({
      stage: 'prod',
      settings: { production: true },
    });
  });

  it.each([
    { '@aws-cdk/core:target-partitions': ['aws'] },
    { 'acknowledged-issue-numbers': [34892] },
    { 'cli-telemetry': false },
  ])('ignore the keys of the CDK itself: %j', (context) => {
    expect(resolve(context).settings).toEqual(resolve({}).settings);
  });

  it('of the stages in this repository are valid', () => {
    expect(STAGE_FILES.names()).toEqual(expect.arrayContaining(['dev', 'prod']));
    for (const stage of STAGE_FILES.names()) {
      expect(resolveSettings({ stage }, REGION).settings.region).toBe(REGION);
    }
  });
});

describe('the region', () => {
  it('is that of the context, of the file, or of the environment', () => {
    expect(resolve({ region: 'eu-west-2' }, { region: 'eu-north-1' }).settings.region).toBe(
      'eu-west-2',
    );
    expect(resolve({}, { region: 'eu-north-1' }).settings.region).toBe('eu-north-1');
    expect(resolve({}).settings.region).toBe(REGION);
  });

  // The CDK CLI falls back to us-east-1, which nobody chose then.
  it('of the environment is us-east-1 only where a variable of AWS names it', () => {
    expect(regionOfEnvironment({ CDK_DEFAULT_REGION: 'eu-north-1' })).toBe('eu-north-1');
    expect(regionOfEnvironment({ CDK_DEFAULT_REGION: 'us-east-1' })).toBeUndefined();
    expect(regionOfEnvironment({ CDK_DEFAULT_REGION: 'us-east-1', AWS_REGION: 'us-east-1' })).toBe(
      'us-east-1',
    );
    expect(regionOfEnvironment({ AWS_DEFAULT_REGION: 'sa-east-1' })).toBe('sa-east-1');
    expect(regionOfEnvironment({})).toBeUndefined();
  });

  it('is never chosen by the stack', () => {
    expect(() => stageConfig(resolveSettings({}, undefined, files({ dev: {} })))).toThrow(
      'The stage dev has no region: set "region" in stages/dev.json, pass -c region=eu-west-1, or set AWS_REGION.',
    );
  });

  it.each(['cn-north-1', 'europe', 'me-south-1'])(
    'of another partition, or without schemas, is refused: %s',
    (region) => {
      expect(() => resolve({ region })).toThrow(
        'it must be a region of the standard AWS partition',
      );
      expect(() => resolve({}, {}, region)).toThrow('The AWS profile or environment sets region');
    },
  );
});

describe('a mistake', () => {
  const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
  const ACL = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/market-data-proxy/0a1b';
  const DOMAIN = { domainName: 'a.example.com', certificateArn: arnIn('us-east-1') };

  it.each<[what: string, context: Context, sentence: string]>([
    ['an unknown stage', { stage: 'qa' }, 'There is no stage qa: it must be one of dev, prod.'],
    [
      'an unknown setting',
      { publicrate: 5 },
      'The context (-c) sets publicrate, which is not a setting. The settings are region, ',
    ],
    [
      'a bucket with a dot',
      { archive: 'my.bucket' },
      'it must be true, false, or the name of a bucket',
    ],
    ['a value beyond its range', { publicRate: 0 }, 'it must be a whole number from 1 to 1000'],
    ['a domain without certificate', { domainName: 'a.example.com' }, 'set both or neither'],
    [
      'a certificate in another region',
      { certificateArn: arnIn(REGION) },
      'an ACM certificate in us-east-1',
    ],
    ['a domain without edge', { ...DOMAIN, edge: false }, 'it cannot be set with edge=false'],
    [
      'a web ACL without edge',
      { edge: false, webAcl: ACL },
      'webAcl cannot be set with edge=false',
    ],
    [
      'a regional web ACL',
      { webAcl: ACL.replace('global', 'regional') },
      'true, false, or the ARN of a web ACL for CloudFront',
    ],
    [
      'a web ACL of the stack without edge',
      { edge: false, webAcl: true },
      'webAcl cannot be set with edge=false',
    ],
    [
      'a pager in another region',
      { alarmTopicArn: 'arn:aws:sns:eu-west-2:123456789012:pager' },
      'its own region',
    ],
    ['one key named twice', { publicKeys: 'a,a' }, 'publicKeys=a,a names one key twice'],
  ])('of the context is refused with one sentence: %s', (_what, context, sentence) => {
    expect(() => resolve(context)).toThrow(StageError);
    expect(() => resolve(context)).toThrow(sentence);
  });

  it.each<[what: string, file: unknown, sentence: string]>([
    ['an unknown setting', { page: true }, 'stages/dev.json sets page, which is not a setting'],
    ['a value of another type', { edge: 'yes' }, 'sets edge to "yes"; it must be true or false'],
    ['no object', [], 'stages/dev.json must hold one JSON object'],
    ['no JSON', '{', 'stages/dev.json cannot be read'],
  ])('of a file is refused with one sentence: %s', (_what, file, sentence) => {
    expect(() => resolve({}, file)).toThrow(StageError);
    expect(() => resolve({}, file)).toThrow(sentence);
  });

  it.each([
    ['upstreamUrl', 'http://127.0.0.1:8080'],
    ['maxMarkets', '10000'],
    ['archive', 'archive-of-a-deleted-stack'],
  ] as const)('is not made by %s=%s', (name, value) => {
    expect(String(resolve({ [name]: value }).settings[name])).toBe(value);
  });
});

describe('a stage', () => {
  it('names the settings that differ from the defaults', () => {
    expect(stageConfig(resolve({ archive: true, publicRate: 50 })).overrides).toBe(
      'stage=dev region=eu-west-1 publicRate=50 archive=true',
    );
    expect(stageConfig(resolve({ alarmEmail: 'on-call@example.com' })).overrides).toContain(
      'alarmEmail=<set>',
    );
    const webAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/market-data-proxy/0a1b';
    expect(stageConfig(resolve({ webAcl })).overrides).toContain('webAcl=<set>');
    expect(stageConfig(resolve({ webAcl: 'true' })).overrides).toContain('webAcl=true');
  });

  // Bots that poll once a minute may come in the same second.
  it('accepts the requests of a minute at once, up to 600', () => {
    const planOf = (publicRate: number) => stageConfig(resolve({ publicRate })).publicPlan;
    expect(planOf(5)).toEqual({ ratePerSecond: 5, burst: 300 });
    expect(planOf(10)).toEqual({ ratePerSecond: 10, burst: 600 });
    expect(planOf(20)).toEqual({ ratePerSecond: 20, burst: 600 });
  });

  it('of production needs a receiver of alarms', () => {
    expect(() => stageConfig(resolve({ stage: 'prod' }))).toThrow(
      'The alarms of the stage prod reach nobody: set alarmEmail, or production=false.',
    );
    const alarmTopicArn = 'arn:aws:sns:eu-west-1:123456789012:pager';
    // Alarms of the severity "look" use no pager.
    expect(() => stageConfig(resolve({ stage: 'prod', alarmTopicArn }))).toThrow(StageError);
    expect(stageConfig(resolve({ stage: 'prod', alarmEmail: 'a@example.com' })).production).toBe(
      true,
    );
  });

  it('gives partners room beside the public plan', () => {
    expect(
      stageConfig(resolve({ publicRate: 20, partnerRate: 100 })).methodThrottle.ratePerSecond,
    ).toBe(200);
    expect(
      stageConfig(resolve({ publicRate: 80, partnerRate: 10 })).methodThrottle.ratePerSecond,
    ).toBe(160);
  });
});
