/**
 * A stage is a deployment, such as dev or prod. Its settings come from three places: the defaults,
 * the file `stages/<stage>.json`, and the context, which is the CDK's options `-c name=value`.
 */
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
const WEB_ACL = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/market-data-proxy/0a1b';

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

/** The settings for this context, file of the stage dev, and region of the environment. */
function resolve(context: Context, file: unknown = {}, region: string | undefined = REGION) {
  return resolveSettings(context, region, files({ dev: file, prod: { production: true } }));
}

describe('the settings of a stage', () => {
  it('are at most 16', () => {
    expect(SETTING_NAMES.length).toBeLessThanOrEqual(16);
  });

  it('are the defaults, then the file, then the context [sentence 22]', () => {
    const { settings } = resolve(
      { publicRate: '50', edge: 'false', upstreamUrl: 'http://127.0.0.1:8080' },
      { publicRate: 40, partnerRate: 20, edge: true },
    );
    expect(settings).toMatchObject({
      publicRate: 50,
      partnerRate: 20,
      maxMarkets: 2_000,
      edge: false,
      upstreamUrl: 'http://127.0.0.1:8080',
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

  it('are valid in the files of this repository', () => {
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

  // Without a region, the CDK's CLI sets us-east-1, which the user did not choose.
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
    'is refused in another partition, or without public schemas of CloudFormation: %s',
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
  const DOMAIN = { domainName: 'a.example.com', certificateArn: arnIn('us-east-1') };

  it.each<{ readonly mistake: string; readonly context: Context; readonly error: string }>([
    {
      mistake: 'an unknown stage',
      context: { stage: 'qa' },
      error: 'There is no stage qa: it must be one of dev, prod.',
    },
    {
      mistake: 'an unknown setting',
      context: { publicrate: 5 },
      error: 'The context (-c) sets publicrate, which is not a setting. The settings are region, ',
    },
    {
      mistake: 'a bucket with a dot',
      context: { archive: 'my.bucket' },
      error: 'it must be true, false, or the name of a bucket',
    },
    {
      mistake: 'a value beyond its range',
      context: { publicRate: 0 },
      error: 'it must be a whole number from 1 to 1000',
    },
    {
      mistake: 'a domain without certificate',
      context: { domainName: 'a.example.com' },
      error: 'set both or neither',
    },
    {
      mistake: 'a certificate in another region',
      context: { certificateArn: arnIn(REGION) },
      error: 'an ACM certificate in us-east-1',
    },
    {
      mistake: 'a domain without edge',
      context: { ...DOMAIN, edge: false },
      error: 'it cannot be set with edge=false',
    },
    {
      mistake: 'a web ACL without edge',
      context: { edge: false, webAcl: WEB_ACL },
      error: 'webAcl cannot be set with edge=false',
    },
    {
      mistake: 'a web ACL of the stack without edge',
      context: { edge: false, webAcl: true },
      error: 'webAcl cannot be set with edge=false',
    },
    {
      mistake: 'a regional web ACL',
      context: { webAcl: WEB_ACL.replace('global', 'regional') },
      error: 'true, false, or the ARN of a web ACL for CloudFront',
    },
    {
      mistake: 'a pager in another region',
      context: { alarmTopicArn: 'arn:aws:sns:eu-west-2:123456789012:pager' },
      error: 'its own region',
    },
    {
      mistake: 'one key named twice',
      context: { publicKeys: 'a,a' },
      error: 'publicKeys=a,a names one key twice',
    },
  ])('in the context is refused with one sentence: $mistake', ({ context, error }) => {
    expect(() => resolve(context)).toThrow(StageError);
    expect(() => resolve(context)).toThrow(error);
  });

  it.each<{ readonly mistake: string; readonly file: unknown; readonly error: string }>([
    {
      mistake: 'an unknown setting',
      file: { page: true },
      error: 'stages/dev.json sets page, which is not a setting',
    },
    {
      mistake: 'a value of another type',
      file: { edge: 'yes' },
      error: 'sets edge to "yes"; it must be true or false',
    },
    { mistake: 'no object', file: [], error: 'stages/dev.json must hold one JSON object' },
    { mistake: 'no JSON', file: '{', error: 'stages/dev.json cannot be read' },
  ])('in a file is refused with one sentence: $mistake', ({ file, error }) => {
    expect(() => resolve({}, file)).toThrow(StageError);
    expect(() => resolve({}, file)).toThrow(error);
  });
});

describe('a stage', () => {
  it('names the settings that differ from the defaults, without secrets', () => {
    expect(stageConfig(resolve({ archive: true, publicRate: 50 })).overrides).toBe(
      'stage=dev region=eu-west-1 publicRate=50 archive=true',
    );
    expect(stageConfig(resolve({ alarmEmail: 'on-call@example.com' })).overrides).toContain(
      'alarmEmail=<set>',
    );
    expect(stageConfig(resolve({ webAcl: WEB_ACL })).overrides).toContain('webAcl=<set>');
    expect(stageConfig(resolve({ webAcl: 'true' })).overrides).toContain('webAcl=true');
  });

  // Bots that poll once a minute may come in the same second.
  it('accepts the requests of a minute at once, up to 600', () => {
    const planOf = (publicRate: number) => stageConfig(resolve({ publicRate })).publicPlan;
    expect(planOf(5)).toEqual({ ratePerSecond: 5, burst: 5 * 60 });
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

  it('allows all callers together twice the larger of the rates of its plans', () => {
    const throttleOf = (publicRate: number, partnerRate: number) =>
      stageConfig(resolve({ publicRate, partnerRate })).methodThrottle.ratePerSecond;
    expect(throttleOf(20, 100)).toBe(2 * 100);
    expect(throttleOf(80, 10)).toBe(2 * 80);
  });
});
