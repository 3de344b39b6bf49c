import { describe, expect, it } from '@jest/globals';
import { type Context, resolveSettings } from '../../../../lib/config/resolve-settings.ts';
import { SETTING_NAMES } from '../../../../lib/config/settings.ts';
import type { StageFiles } from '../../../../lib/config/stage-files.ts';

function filesOf(stages: Readonly<Record<string, Readonly<Record<string, unknown>>>>): StageFiles {
  return { names: () => Object.keys(stages), read: (name) => stages[name] ?? {} };
}

const files = filesOf({ dev: { $schema: './schema.json' }, staging: { maxMarkets: 500, waf: true } });
const resolve = (context: Context) => resolveSettings(context, files);

describe('the settings of a deployment', () => {
  it('are the defaults under an empty file, of the stage dev unless told', () => {
    const { stage, settings, sources } = resolve({});
    expect(stage).toBe('dev');
    expect(settings).toMatchObject({ maxMarkets: 2_000, waf: false, edge: true, publicRate: 75 });
    expect(settings).not.toHaveProperty('region');
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
    expect(Object.keys(sources)).toEqual(SETTING_NAMES);
  });

  it('come from the command line, else from the file of the stage, and say so', () => {
    const { settings, sources } = resolve({
      stage: 'staging',
      maxMarkets: '700',
      alarmEmail: 'me@example.com',
    });
    expect(settings).toMatchObject({ maxMarkets: 700, waf: true, alarmEmail: 'me@example.com' });
    expect(sources).toMatchObject({ maxMarkets: '-c', alarmEmail: '-c', waf: 'file', edge: 'default' });
  });

  it('may come from cdk.json too, whose values are numbers and booleans', () => {
    expect(resolve({ maxMarkets: 700, edge: false, staleIfErrorSeconds: 0 }).settings).toMatchObject({
      maxMarkets: 700,
      edge: false,
      staleIfErrorSeconds: 0,
    });
  });

  it('of the edge go with it when the command line leaves it out, and say so', () => {
    const { settings, sources } = resolve({ stage: 'staging', edge: 'false' });
    expect([settings.waf, sources.waf]).toEqual([false, '-c edge=false']);
  });

  it('leave the context of the CDK alone', () => {
    const context = { '@aws-cdk/core:flag': true, 'aws:cdk:bundling-stacks': [], 'cli:x': '' };
    expect(resolve(context)).toEqual(resolve({}));
  });

  it.each<[Context, string]>([
    [
      { stage: 'production' },
      'stage=production is not allowed: it must be one of dev, staging; each is a file',
    ],
    [
      { stage: 'my_stage' },
      'whose name has lower-case letters, digits and dashes, a letter first, at most 14',
    ],
    [
      { alarmMail: 'me@example.com' },
      'There is no setting alarmMail, which the context sets (-c alarmMail=…) (did you mean alarmEmail?).',
    ],
    [
      { stages: 'dev' },
      'There is no setting stages, which the context sets (-c stages=…) (did you mean stage?).',
    ],
    [{ Edge: 'false' }, '(did you mean edge?)'],
    [{ colour: 'green' }, 'There is no setting colour, which the context sets (-c colour=…).'],
    [{ maxMarkets: '50001' }, 'maxMarkets=50001 is not allowed: it must be a whole number from 1 to 50000'],
    [{ maxMarkets: '0' }, 'a whole number from 1 to 50000'],
    [{ maxMarkets: '1e3' }, 'a whole number from 1 to 50000'],
    [{ staleIfErrorSeconds: '' }, 'a whole number from 0 to 86400'],
    [{ refreshMinutes: '1.5' }, 'a whole number from 1 to 60'],
    [{ gammaUrl: 'polymarket' }, 'an http or https URL'],
    [{ edge: 'no' }, 'edge=no is not allowed: it must be true or false.'],
    [{ waf: '1' }, 'true or false'],
    [
      { region: 'Frankfurt' },
      'region=Frankfurt is not allowed: it must be an AWS region such as eu-central-1',
    ],
    [{ region: 'cn-north-1' }, 'not one of China, of a government'],
    [{ region: 'us-gov-west-1' }, 'an AWS region such as eu-central-1'],
    [{ region: 'us-iso-east-1' }, 'an AWS region such as eu-central-1'],
    [{ region: 'eu-centrl-9' }, 'an AWS region such as eu-central-1'],
    [{ region: 'xx-nowhere-1' }, 'an AWS region such as eu-central-1'],
    [{ alarmEmail: 'me' }, 'an e-mail address'],
    [{ monthlyBudgetUsd: '-1' }, 'a whole number from 0 to 100000'],
    [
      { publicRate: '59' },
      'publicRate=59 is not allowed: it must be a whole number from 60 to 5000 (one caller may send 60 at once, and must not use up what all share).',
    ],
    [{ publicKeys: '1,2,3' }, 'the key in use, and its successor'],
    [{ priceClass: 'all' }, 'one of PRICE_CLASS_100, PRICE_CLASS_200, PRICE_CLASS_ALL'],
    [{ logRetentionDays: '14' }, 'one of 7, 30'],
    [{ domainName: 'https://example.com' }, 'a host name such as markets.example.com'],
    [
      { certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a' },
      'an ACM certificate in us-east-1',
    ],
  ])('refuse the context %j', (context, sentence) => {
    expect(() => resolve(context)).toThrow(sentence);
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ maxMarket: 5 }, 'stages/dev.json: there is no setting maxMarket (did you mean maxMarkets?).'],
    [{ stage: 'prod' }, 'stages/dev.json: there is no setting stage'],
    [
      { maxMarkets: '500' },
      'stages/dev.json: maxMarkets is "500"; it must be a whole number from 1 to 50000',
    ],
    [{ waf: 'true' }, 'stages/dev.json: waf is "true"; it must be true or false.'],
    [{ alarmEmail: null }, 'stages/dev.json: alarmEmail is null; it must be an e-mail address.'],
  ])('refuse the file %j', (file, sentence) => {
    expect(() => resolveSettings({}, filesOf({ dev: file }))).toThrow(sentence);
  });
});
