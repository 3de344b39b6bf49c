import { describe, expect, it } from '@jest/globals';
import {
  findings,
  metadata,
  only,
  type Resource,
  resources,
  stackOf,
  template,
} from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

const NAMES = Object.keys(VARIANTS) as Variant[];
const dev = template('dev');
const prod = template('prod');
const changed = template('changed');

describe('every template', () => {
  it.each(NAMES)('passes the rules of cdk-nag and of CloudFormation: %s', (variant) => {
    expect(findings(variant)).toBe('');
  });

  it.each(NAMES)(
    'keeps, when the stack is deleted, only the archive and the logging role: %s',
    (variant) => {
      const all = Object.values(template(variant).Resources);
      const retained = all.filter(({ DeletionPolicy, UpdateReplacePolicy }) =>
        [DeletionPolicy, UpdateReplacePolicy].some((policy) => policy?.startsWith('Retain')),
      );
      // A first deployment that fails leaves the role, because other APIs of the account may log
      // with it by then. It leaves no bucket.
      const expected = [
        'AWS::ApiGateway::Account Retain',
        'AWS::IAM::Role Retain',
        'AWS::S3::Bucket RetainExceptOnCreate',
      ];
      expect(
        retained.map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`).sort(),
      ).toEqual(variant.startsWith('prod') ? expected : []);
    },
  );
});

describe('an update in place', () => {
  it('keeps the ids of resources whose replacement would lose data, keys or addresses', () => {
    const pinned = {
      'AWS::DynamoDB::Table': ['SnapshotsTableAE12316E', 'RateLimitsTable29A563C1'],
      'AWS::SecretsManager::Secret': ['PublicKeyValue9D84004A'],
      'AWS::ApiGateway::ApiKey': ['PublicKey3193489A'],
      'AWS::ApiGateway::RestApi': ['ReadApiE377858D'],
      'AWS::ApiGateway::Stage': ['ReadApiDeploymentStagedev73263AB8'],
      'AWS::ApiGateway::UsagePlan': ['PlansPublic54CB1242', 'PlansPartner0A4D44AB'],
      'AWS::CloudFront::Distribution': ['EdgeDistribution0060737B'],
    };
    for (const [type, ids] of Object.entries(pinned)) {
      expect(resources(dev, type).map(([id]) => id)).toEqual(ids);
    }
  });

  it('adds a second public key without touching the first one', () => {
    const idsOf = (from: typeof dev) =>
      resources(from, 'AWS::ApiGateway::UsagePlanKey').map(([id]) => id);
    const keys = idsOf(changed);
    expect(keys).toHaveLength(2);
    expect(keys).toContain(only(dev, 'AWS::ApiGateway::UsagePlanKey')[0]);
  });
});

/**
 * Names that need not be unique in the account. The names of queries are checked with the
 * monitoring.
 */
const OTHER_NAMES = [
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::Logs::QueryDefinition',
];

/** The physical name of a resource, if the template has one: `Name`, `TableName`, `RoleName`, … */
function physicalName({ Type, Properties }: Resource): unknown {
  if (OTHER_NAMES.includes(Type)) return undefined;
  return Properties?.Name ?? Properties?.[`${Type.split('::')[2]}Name`];
}

it.each(NAMES)(
  'a name that CloudFormation does not choose holds those of the stack and the region: %s',
  (variant) => {
    const names = Object.values(template(variant).Resources).map(physicalName);
    for (const name of names.filter((one) => one !== undefined)) {
      expect(name).toContain(stackOf(variant).stackName);
      expect(name).toContain(VARIANTS[variant].region);
    }
  },
);

describe('the stacks', () => {
  it('warn at synthesis when alarms reach nobody', () => {
    expect(metadata('dev')).toContain('no alarm sends an email, and there is no budget.');
    expect(metadata('prod')).not.toContain('no alarm sends an email');
  });

  it('warn at synthesis of production without a web ACL', () => {
    const warning = 'Without webAcl one fast address can use up the rate';
    expect(metadata('prodVirginia')).toContain(warning);
    expect(metadata('prod')).not.toContain('Without webAcl');
    expect(metadata('dev')).not.toContain('Without webAcl');
  });

  it('are tagged, so that the bill can be split', () => {
    expect(stackOf('prod').tags).toEqual({ service: 'market-data-proxy', stage: 'prod' });
  });

  it('have the outputs that the documents name', () => {
    const addresses = [
      'BaseUrl',
      'DistributionDomainName',
      'ApiUrl',
      'DashboardUrl',
      'RefresherName',
    ];
    const documented = [...addresses, 'PublicApiKeyId', 'PartnerPlanId', 'Version', 'Settings'];
    expect(Object.keys(dev.Outputs)).toEqual(expect.arrayContaining(documented));
    expect(prod.Outputs).toHaveProperty('AlarmTopicArn');
    expect(changed.Outputs.BaseUrl?.Value).toBe('https://markets.example.com');
  });
});

describe('the archive', () => {
  it('keeps overwritten and deleted files for 30 days', () => {
    expect(only(prod, 'AWS::S3::Bucket')[1].Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [
          {
            NoncurrentVersionExpiration: { NoncurrentDays: 30 },
            ExpiredObjectDeleteMarker: true,
            Status: 'Enabled',
          },
          { Prefix: 'archive/claims/', ExpirationInDays: 1, Status: 'Enabled' },
        ],
      },
    });
  });

  it('is in a bucket that no policy can make public', () => {
    const blocked = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls'];
    expect(only(prod, 'AWS::S3::Bucket')[1].Properties.PublicAccessBlockConfiguration).toEqual(
      Object.fromEntries([...blocked, 'RestrictPublicBuckets'].map((name) => [name, true])),
    );
  });

  it('can be in the bucket of a deleted stack', () => {
    expect(changed.Outputs.ArchiveBucket?.Value).toBe('archive-of-a-deleted-stack');
    expect(resources(changed, 'AWS::S3::Bucket')).toEqual([]);
    const roles = JSON.stringify(
      resources(changed, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Archiver')),
    );
    expect(roles).toContain(':s3:::archive-of-a-deleted-stack/archive/*"');
  });

  it('is written at 00:20 UTC', () => {
    const schedules = resources(prod, 'AWS::Scheduler::Schedule').map(
      ([, { Properties }]) => Properties,
    );
    expect(schedules.map(({ ScheduleExpression }) => ScheduleExpression)).toContain(
      'cron(20 0 * * ? *)',
    );
  });
});

describe('the tables', () => {
  const tables = resources(dev, 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties);

  it('have the keys of snapshots and of callers [sentence 43]', () => {
    const partition = { AttributeName: 'pk', KeyType: 'HASH' };
    const ofSnapshots = [partition, { AttributeName: 'n', KeyType: 'RANGE' }];
    const ofCallers = [partition];
    const keys = tables.map(({ KeySchema }) => KeySchema);
    expect(new Set(keys)).toEqual(new Set([ofSnapshots, ofCallers]));
  });

  it('are paid by the request, so that one large item is not throttled', () => {
    for (const { BillingMode } of tables) expect(BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('delete what has expired', () => {
    expect(tables).toHaveLength(2);
    const expiring = { AttributeName: 'expiresAt', Enabled: true };
    for (const { TimeToLiveSpecification } of tables)
      expect(TimeToLiveSpecification).toEqual(expiring);
  });
});

describe('the schedules', () => {
  const rows = resources(dev, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);

  it('begin full runs in even minutes and price runs in odd ones [sentence 42]', () => {
    const rowOf = ({ ScheduleExpression, Target }: (typeof rows)[number]) => [
      (Target as { readonly Input?: string }).Input,
      ScheduleExpression,
    ];
    expect(rows.map(rowOf)).toEqual([
      ['{"kind":"full"}', 'cron(0/2 * * * ? *)'],
      ['{"kind":"prices"}', 'cron(1/2 * * * ? *)'],
      [undefined, 'cron(* * * * ? *)'],
    ]);
  });

  // "Only resource properties explicitly defined in the stack template are checked for drift."
  it('are enabled by the template, so that drift shows one that somebody disabled', () => {
    const all = resources(prod, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);
    expect(all.map(({ State }) => State)).toEqual(Array(4).fill('ENABLED'));
  });

  it('drop an invocation that is a minute late', () => {
    for (const { Target, FlexibleTimeWindow } of rows) {
      expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
      expect(Target).toMatchObject({
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 1 },
      });
    }
    const invoked = resources(dev, 'AWS::Lambda::EventInvokeConfig').map(
      ([, { Properties }]) => Properties,
    );
    expect(invoked).toHaveLength(2);
    for (const each of invoked) {
      expect(each).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
    }
  });
});
