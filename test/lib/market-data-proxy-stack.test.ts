/**
 * What holds for the whole stack: what its deletion and its updates keep, names, outputs, the
 * archive's bucket, the tables and the schedules. The variants are deployments: those of both
 * stages, and others such as `changed`, in which most settings have another value than the default.
 */
import { describe, expect, it } from '@jest/globals';
import {
  findings,
  idsOf,
  metadata,
  only,
  propertiesOf,
  type Resource,
  resources,
  stackOf,
  template,
} from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

const ALL_VARIANTS = Object.keys(VARIANTS) as Variant[];
const dev = template('dev');
const prod = template('prod');
const changed = template('changed');

describe('every template', () => {
  it.each(ALL_VARIANTS)('passes the rules of cdk-nag and of CloudFormation: %s', (variant) => {
    expect(findings(variant)).toBe('');
  });

  it.each(ALL_VARIANTS)(
    'keeps, when the stack is deleted, only the archive and the logging role: %s',
    (variant) => {
      const retained: string[] = [];
      for (const resource of Object.values(template(variant).Resources)) {
        const { Type, DeletionPolicy, UpdateReplacePolicy } = resource;
        const policies = [DeletionPolicy, UpdateReplacePolicy];
        if (policies.some((policy) => policy?.startsWith('Retain')))
          retained.push(`${Type} ${DeletionPolicy}`);
      }
      // A first deployment that fails leaves the role, because other APIs of the account may log
      // with it by then. It leaves no bucket.
      const ofProduction = [
        'AWS::ApiGateway::Account Retain',
        'AWS::IAM::Role Retain',
        'AWS::S3::Bucket RetainExceptOnCreate',
      ];
      expect(retained.sort()).toEqual(variant.startsWith('prod') ? ofProduction : []);
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
      expect(idsOf(dev, type)).toEqual(ids);
    }
  });

  it('adds a second public key without touching the first one', () => {
    const keys = idsOf(changed, 'AWS::ApiGateway::UsagePlanKey');
    expect(keys).toHaveLength(2);
    expect(keys).toContain(only(dev, 'AWS::ApiGateway::UsagePlanKey').id);
  });
});

/** Types whose names need not be unique in the account, or have a test in saved-queries.test.ts. */
const TYPES_WITH_ANY_NAME = [
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::Logs::QueryDefinition',
];

/** The physical name of a resource, if the template has one: `Name`, `TableName`, `RoleName`, … */
function physicalName({ Type, Properties }: Resource): unknown {
  if (TYPES_WITH_ANY_NAME.includes(Type)) return undefined;
  const [, , kind] = Type.split('::');
  return Properties?.Name ?? Properties?.[`${kind}Name`];
}

it.each(ALL_VARIANTS)(
  'a name that CloudFormation does not choose contains those of the stack and the region: %s',
  (variant) => {
    for (const resource of Object.values(template(variant).Resources)) {
      const name = physicalName(resource);
      if (name === undefined) continue;
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
    const documented = [
      'BaseUrl',
      'DistributionDomainName',
      'ApiUrl',
      'DashboardUrl',
      'RefresherName',
      'PublicApiKeyId',
      'PartnerPlanId',
      'Version',
      'Settings',
    ];
    expect(Object.keys(dev.Outputs)).toEqual(expect.arrayContaining(documented));
    expect(prod.Outputs).toHaveProperty('AlarmTopicArn');
    expect(changed.Outputs.BaseUrl?.Value).toBe('https://markets.example.com');
  });
});

describe('the archive', () => {
  it('keeps overwritten and deleted files for 30 days', () => {
    expect(only(prod, 'AWS::S3::Bucket').properties).toMatchObject({
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
    const bucket = only(prod, 'AWS::S3::Bucket').properties;
    expect(bucket.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
  });

  it('can be in the bucket of a deleted stack', () => {
    expect(changed.Outputs.ArchiveBucket?.Value).toBe('archive-of-a-deleted-stack');
    expect(resources(changed, 'AWS::S3::Bucket')).toEqual([]);
    const roles = JSON.stringify(
      resources(changed, 'AWS::IAM::Role').filter(({ id }) => id.startsWith('Archiver')),
    );
    expect(roles).toContain(':s3:::archive-of-a-deleted-stack/archive/*"');
  });

  it('is written at 00:20 UTC', () => {
    const schedules = propertiesOf(prod, 'AWS::Scheduler::Schedule');
    expect(schedules).toContainEqual(
      expect.objectContaining({ ScheduleExpression: 'cron(20 0 * * ? *)' }),
    );
  });
});

describe('the tables', () => {
  const tables = propertiesOf(dev, 'AWS::DynamoDB::Table');

  it('have the keys of snapshots and of callers [sentence 43]', () => {
    const partition = { AttributeName: 'pk', KeyType: 'HASH' };
    const keysOfSnapshots = [partition, { AttributeName: 'n', KeyType: 'RANGE' }];
    const keysOfCallers = [partition];
    const keys = tables.map(({ KeySchema }) => KeySchema);
    expect(new Set(keys)).toEqual(new Set([keysOfSnapshots, keysOfCallers]));
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
  const schedules = propertiesOf(dev, 'AWS::Scheduler::Schedule');

  it('begin full runs in even minutes and price runs in odd ones [sentence 42]', () => {
    expect(schedules).toMatchObject([
      { Target: { Input: '{"kind":"full"}' }, ScheduleExpression: 'cron(0/2 * * * ? *)' },
      { Target: { Input: '{"kind":"prices"}' }, ScheduleExpression: 'cron(1/2 * * * ? *)' },
      // The check of the service.
      { ScheduleExpression: 'cron(* * * * ? *)' },
    ]);
  });

  // "Only resource properties explicitly defined in the stack template are checked for drift."
  it('are enabled by the template, so that drift shows one that somebody disabled', () => {
    const states = propertiesOf(prod, 'AWS::Scheduler::Schedule').map(({ State }) => State);
    // Full runs, price runs, the check and the archiver.
    expect(states).toEqual(Array(4).fill('ENABLED'));
  });

  it('drop an invocation that is a minute late', () => {
    for (const { Target, FlexibleTimeWindow } of schedules) {
      expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
      expect(Target).toMatchObject({
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 1 },
      });
    }
    // Lambda's own queue, of the refresher and of the check.
    const queues = propertiesOf(dev, 'AWS::Lambda::EventInvokeConfig');
    expect(queues).toHaveLength(2);
    for (const queue of queues) {
      expect(queue).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
    }
  });
});
