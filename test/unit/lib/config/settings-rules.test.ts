import { describe, expect, it } from '@jest/globals';
import { type Context, resolveSettings } from '../../../../lib/config/resolve-settings.ts';
import { checkTogether } from '../../../../lib/config/settings-rules.ts';

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-4e5f';
const domainName = 'markets.example.com';
const check = (context: Context, cliRegion?: string) => () =>
  checkTogether(resolveSettings(context), cliRegion);

describe('settings that contradict each other', () => {
  it.each<[Context, string]>([
    [{ domainName }, 'domainName and certificateArn belong together'],
    [{ certificateArn }, 'domainName and certificateArn belong together'],
    [{ domainName, certificateArn, edge: 'false' }, 'it cannot go with edge=false'],
    [{ waf: 'true', edge: 'false' }, 'set waf=false too'],
    [{ stage: 'prod', edge: 'false', waf: 'true' }, 'set waf=false too'],
    [{ edgeCache: 'true', edge: 'false' }, 'set edgeCache=false too'],
    [{ gammaUrl: 'http://127.0.0.1:1' }, 'gammaUrl and clobUrl belong together'],
    [{ clobUrl: 'http://127.0.0.1:1' }, 'gammaUrl and clobUrl belong together'],
    [{ publicKeys: '1,1' }, 'publicKeys=1,1 names one key twice'],
    [{ partnerRate: '200' }, 'partnerRate=200 is more than publicRate=75'],
    [{ region: 'eu-south-1', publicRate: '1251' }, 'publicRate=1251 is more than 1250: in eu-south-1'],
  ])('are refused: %j', (context, sentence) => {
    expect(check(context)).toThrow(sentence);
  });

  it.each<Context>([
    {},
    { stage: 'prod' },
    { publicKeys: '1,2' },
    { domainName, certificateArn },
    { stage: 'prod', edge: 'false', waf: 'false' },
    { gammaUrl: 'http://127.0.0.1:1', clobUrl: 'http://127.0.0.1:1' },
    { region: 'eu-south-1', publicRate: '1250' },
    { maxMarkets: '50000', refreshMinutes: '2' },
  ])('others are not: %j', (context) => {
    expect(check(context)).not.toThrow();
  });

  it('are those of the region that the CDK CLI deploys to, where the stage names none', () => {
    const rate = { publicRate: '1251' };
    expect(check(rate, 'eu-south-1')).toThrow('publicRate=1251 is more than 1250: in eu-south-1');
    expect(check({ ...rate, region: 'eu-west-1' }, 'eu-south-1')).not.toThrow();
    expect(check(rate, 'eu-west-1')).not.toThrow();
  });
});
