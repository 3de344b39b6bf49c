import { describe, expect, it } from '@jest/globals';
import { ROUTES, type RouteName } from '../../../../lambda/contract/routes.ts';
import { stageFromContext } from '../../../../lib/config/stage-context.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';

const template = synthesizeStack();
const [secret] = resources(template, 'AWS::SecretsManager::Secret').map(([id]) => id);
const reference = { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: secret }, ':SecretString:::}}']] };

describe('the public key', () => {
  it('is made up by Secrets Manager, of letters and digits only, and deleted with the stack', () => {
    template.hasResource('AWS::SecretsManager::Secret', {
      Properties: { GenerateSecretString: { PasswordLength: 40, ExcludePunctuation: true } },
      DeletionPolicy: 'Delete',
    });
  });

  it('reaches the API key and the origin header by dynamic reference, and nothing else', () => {
    template.hasResourceProperties('AWS::ApiGateway::ApiKey', { Value: reference });
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Origins: [{ OriginCustomHeaders: [{ HeaderName: 'x-api-key', HeaderValue: reference }] }, {}],
      },
    });
    const text = JSON.stringify(template.toJSON());
    expect(text.split(JSON.stringify(reference))).toHaveLength(3);
    expect(text.split('{{resolve:')).toHaveLength(3);
  });

  it('is the only key in the template, has no name, and its id does not depend on the API', () => {
    const keys = resources(template, 'AWS::ApiGateway::ApiKey');
    expect(keys.map(([, { Properties }]) => Object.keys(Properties).sort())).toEqual([
      ['Description', 'Enabled', 'Value'],
    ]);
    template.hasOutput('PublicApiKeyId', { Value: { Ref: keys[0]?.[0] } });
  });

  it('belongs to the public plan alone', () => {
    const links = resources(template, 'AWS::ApiGateway::UsagePlanKey').map(
      ([, { Properties }]) => Properties,
    );
    expect(links).toHaveLength(1);
    const [publicPlan] = plansOf(template).filter(({ description }) => /anonymous/.test(description));
    expect(links[0]).toMatchObject({ UsagePlanId: { Ref: publicPlan?.id } });
  });
});

describe.each(['dev', 'prod'] as const)('the plans of %s', (name) => {
  const stage = stageFromContext({ stage: name });
  const ofStage = synthesizeStack({ stage: name });

  it('bound all anonymous callers together, and each partner with a quota besides', () => {
    const { publicPlan, partnerPlan } = stage;
    expect(plansOf(ofStage)).toMatchObject([
      {
        Throttle: { RateLimit: publicPlan.ratePerSecond, BurstLimit: publicPlan.burst },
        Quota: { Limit: publicPlan.requestsPerDay, Period: 'DAY' },
      },
      {
        Throttle: { RateLimit: partnerPlan.ratePerSecond, BurstLimit: partnerPlan.burst },
        Quota: { Limit: partnerPlan.requestsPerMonth, Period: 'MONTH' },
      },
    ]);
  });

  it('apply to the stage that is deployed', () => {
    const [stageId] = resources(ofStage, 'AWS::ApiGateway::Stage').map(([id]) => id);
    for (const { ApiStages } of plansOf(ofStage))
      expect(ApiStages).toMatchObject([{ Stage: { Ref: stageId } }]);
  });

  it('keep the free endpoints from using up the public plan, whoever calls them how fast', () => {
    const [everyone, partners] = plansOf(ofStage);
    const [{ Throttle: free = {} } = {}] = (everyone?.ApiStages ?? []) as {
      Throttle?: Record<string, RateSettings>;
    }[];
    const paths = Object.values(ROUTES).flatMap(({ counted, path }) => (counted ? [] : [path]));
    expect(Object.keys(free).sort()).toEqual(
      paths.flatMap((path) => ['ANY', 'GET', 'HEAD'].map((method) => `${path}/${method}`)).sort(),
    );
    const sum = (field: keyof RateSettings) =>
      Object.values(free).reduce((total, rate) => total + rate[field], 0);
    expect(sum('RateLimit')).toBeLessThanOrEqual(0.67 * stage.publicPlan.ratePerSecond);
    expect(sum('BurstLimit')).toBeLessThanOrEqual(0.67 * stage.publicPlan.burst);
    expect(partners?.ApiStages).toMatchObject([{ Stage: {} }]);
  });

  it('leave partners room while the public plan is exhausted', () => {
    expect(stage.stageThrottle.ratePerSecond).toBeGreaterThanOrEqual(
      stage.publicPlan.ratePerSecond + stage.partnerPlan.ratePerSecond,
    );
  });
});

describe.each(['dev', 'prod'] as const)('the method throttles of %s', (name) => {
  const { stageThrottle, proxyThrottle } = stageFromContext({ stage: name });
  const [settings] = resources(synthesizeStack({ stage: name }), 'AWS::ApiGateway::Stage').map(
    ([, { Properties }]) => Properties.MethodSettings as Record<string, unknown>[],
  );
  const shape = (path: string, method: string, rate: typeof proxyThrottle) => ({
    ResourcePath: path,
    HttpMethod: method,
    ThrottlingRateLimit: rate.ratePerSecond,
    ThrottlingBurstLimit: rate.burst,
    MetricsEnabled: false,
  });

  it('bound every method, and those that ask the upstream more tightly', () => {
    const live = (Object.keys(ROUTES) as RouteName[]).filter((route) => ROUTES[route].source === 'clob');
    expect(live.length).toBeGreaterThan(1);
    const named = settings?.filter(({ HttpMethod }) => HttpMethod !== 'OPTIONS');
    expect(named).toMatchObject([
      shape('/*', '*', stageThrottle),
      ...live.flatMap((route) =>
        ['GET', 'HEAD'].map((method) =>
          shape(`/${ROUTES[route].path.replaceAll('/', '~1')}`, method, proxyThrottle),
        ),
      ),
    ]);
  });

  it('keep GET and HEAD together under what the upstream takes in 10 s: 1,000 price histories', () => {
    expect(2 * (10 * proxyThrottle.ratePerSecond + proxyThrottle.burst)).toBeLessThanOrEqual(1_000);
  });
});

it('the partner plan is found among the outputs', () => {
  const [partner] = plansOf(template).filter(({ description }) => /partner/.test(description));
  template.hasOutput('PartnerPlanId', { Value: { Ref: partner?.id } });
});

function plansOf(from: typeof template) {
  return resources(from, 'AWS::ApiGateway::UsagePlan')
    .map(
      ([id, { Properties }]) => ({ id, description: String(Properties.Description), ...Properties }) as Plan,
    )
    .sort((one, other) => one.description.localeCompare(other.description));
}

interface RateSettings {
  readonly RateLimit: number;
  readonly BurstLimit: number;
}

interface Plan {
  readonly id: string;
  readonly description: string;
  readonly ApiStages: unknown;
}
