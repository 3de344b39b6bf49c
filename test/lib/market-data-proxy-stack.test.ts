import { describe, expect, it } from '@jest/globals';
import { MAX_MARKETS_DEFAULT, REQUESTS_PER_MINUTE } from '../../lambda/core/contract/constants.ts';
import { ROUTES, ROUTES_BY_FUNCTION, type RouteName } from '../../lambda/core/contract/route-table.ts';
import { ENVIRONMENT, type FunctionName } from '../../lambda/io/platform/environment.ts';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../../lambda/io/platform/table-keys.ts';
import { UPSTREAMS } from '../../lambda/io/upstream/upstreams.ts';
import { findings, metadata, only, type Resource, resources, stacks, template } from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

const NAMES = Object.keys(VARIANTS) as Variant[];
const dev = template('dev');
const prod = template('prod');

/** The logical ids of functions, without the hash. */
const LOGICAL_ID: Readonly<Record<string, string>> = {
  'refresh-snapshot': 'RefresherFunction',
  'archive-snapshots': 'ArchiverFunction',
  'watch-front-door': 'FrontDoorWatchFunction',
};

/** A template that has the function: only a stage with an archive has its job. */
const templateWith = (name: FunctionName) => (name === 'archive-snapshots' ? prod : dev);

function logicalIdOf(name: string): string {
  const pascal = name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return LOGICAL_ID[name] ?? `Read${pascal}`;
}

function lambdaFunction(name: FunctionName, from = templateWith(name)): Resource {
  const id = new RegExp(`^${logicalIdOf(name)}[0-9A-F]{8}$`);
  const found = resources(from, 'AWS::Lambda::Function').find(([logicalId]) => id.test(logicalId));
  if (!found) throw new Error(`There is no function ${name}`);
  return found[1];
}

function variables(name: FunctionName, from = templateWith(name)): Readonly<Record<string, unknown>> {
  return (lambdaFunction(name, from).Properties.Environment as { Variables: Record<string, unknown> }).Variables;
}

describe('every template', () => {
  it.each(NAMES)('passes the rules of cdk-nag and of CloudFormation: %s', (variant) => {
    expect(findings(variant)).toBe('');
  });

  it.each(NAMES)('has no custom resource, no bucket but the archive, no queue, key, layer or trace: %s', (variant) => {
    const types = new Set(Object.values(template(variant).Resources).map(({ Type }) => Type));
    const forbidden = [...types].filter((type) =>
      /^Custom::|^AWS::(S3|SQS|KMS|XRay|CloudFormation)::|LayerVersion/.test(type),
    );
    expect(forbidden).toEqual(variant.startsWith('prod') ? ['AWS::S3::Bucket', 'AWS::S3::BucketPolicy'] : []);
    expect(Object.keys(template(variant).Resources).length).toBeLessThanOrEqual(235);
    expect(resources(template(variant), 'AWS::CloudWatch::Alarm').length).toBeLessThanOrEqual(14);
    expect(JSON.stringify(template(variant))).not.toMatch(/TracingEnabled":true|TracingConfig|xray:/);
  });

  it.each(NAMES)(
    'deletes with the stack everything but the archive and the logging role of the account: %s',
    (variant) => {
      const all = Object.values(template(variant).Resources);
      const retained = all.filter(({ DeletionPolicy, UpdateReplacePolicy }) =>
        [DeletionPolicy, UpdateReplacePolicy].some((policy) => policy?.startsWith('Retain')),
      );
      const expected = variant.startsWith('prod')
        ? ['AWS::ApiGateway::Account', 'AWS::IAM::Role', 'AWS::S3::Bucket']
        : [];
      expect(retained.map(({ Type }) => Type).sort()).toEqual(expected);
      // A first deployment that fails leaves no bucket, but the role: other APIs of the account log with it by then.
      for (const { Type, DeletionPolicy } of retained) {
        expect(DeletionPolicy).toBe(Type === 'AWS::S3::Bucket' ? 'RetainExceptOnCreate' : 'Retain');
      }
      for (const type of ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::SecretsManager::Secret']) {
        const policies = all.filter(({ Type }) => Type === type).map(({ DeletionPolicy }) => DeletionPolicy);
        expect(new Set(policies)).toEqual(new Set(['Delete']));
      }
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
    const idsOf = (from: typeof dev) => resources(from, 'AWS::ApiGateway::UsagePlanKey').map(([id]) => id);
    const keys = idsOf(template('changed'));
    expect(keys).toHaveLength(2);
    expect(keys).toContain(only(dev, 'AWS::ApiGateway::UsagePlanKey')[0]);
  });
});

/** Names that need not be unique in the account. The names of queries are checked with the monitoring. */
const OTHER_NAMES = ['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::Stage', 'AWS::Logs::QueryDefinition'];

/** The physical name of a resource, if the template has one: `Name`, `TableName`, `RoleName`, … */
function physicalName({ Type, Properties }: Resource): unknown {
  if (OTHER_NAMES.includes(Type)) return undefined;
  return Properties?.Name ?? Properties?.[`${Type.split('::')[2]}Name`];
}

describe('names', () => {
  it.each(NAMES)('are left to CloudFormation, or hold the name of the stack and the region: %s', (variant) => {
    for (const [stack, { properties }] of stacks(variant)) {
      const all = Object.values(template(variant, stack as 'MarketDataProxy').Resources);
      for (const name of all.map(physicalName).filter((one) => one !== undefined)) {
        expect(name).toContain(properties.stackName);
        expect(name).toContain(VARIANTS[variant].region);
      }
    }
  });

  it('let one stage live in two regions, and two stages in one', () => {
    const deployed = [...stacks('prod'), ...stacks('prodElsewhere'), ...stacks('dev')];
    const places = deployed.map(([, { environment, properties }]) => `${environment} ${properties.stackName}`);
    expect(places).toHaveLength(7);
    expect(new Set(places).size).toBe(7);
  });
});

describe('the stacks', () => {
  it('say at synthesis that alarms reach nobody', () => {
    expect(metadata('dev')).toContain('no alarm reaches anybody, and there is no budget.');
    expect(metadata('prod')).not.toContain('no alarm reaches anybody');
  });

  it('are tagged, so that the bill can be split, and are protected against deletion in production only', () => {
    for (const [, { properties }] of stacks('prod')) {
      expect(properties.tags).toEqual({ service: 'market-data-proxy', stage: 'prod' });
      expect(properties.terminationProtection).toBe(true);
    }
    for (const [, { properties }] of stacks('dev')) expect(properties.terminationProtection).not.toBe(true);
  });

  it('are deployed in the order web ACL, service, alarm of the edge', () => {
    const byId = stacks('prod');
    expect(byId.get('MarketDataProxy')?.dependencies).toContain('MarketDataProxyWaf');
    expect(byId.get('MarketDataProxyEdgeAlarm')?.dependencies).toContain('MarketDataProxy');
  });

  it('have the outputs that the documents name', () => {
    const addresses = ['BaseUrl', 'DistributionDomainName', 'ApiUrl', 'DashboardUrl', 'RefresherName'];
    const documented = [...addresses, 'PublicApiKeyId', 'PartnerPlanId', 'Version', 'Settings'];
    expect(Object.keys(dev.Outputs)).toEqual(expect.arrayContaining(documented));
    expect(template('changed').Outputs.BaseUrl?.Value).toBe('https://markets.example.com');
    expect(template('changed').Outputs.Settings?.Value).toContain('publicRate=60');
    const settings = String(prod.Outputs.Settings?.Value);
    expect(settings).toContain('alarmEmail=… alarmTopicArn=…');
    expect(prod.Outputs.AlarmTopicArn).toBeDefined();
  });
});

describe('the functions', () => {
  it('are one for each handler of the contract, without page and watch where there is no edge, and without a job where there is no archive', () => {
    const idsOf = (from: typeof dev) => resources(from, 'AWS::Lambda::Function').map(([id]) => id.slice(0, -8));
    const expected = Object.keys(ENVIRONMENT).map(logicalIdOf).sort();
    expect(idsOf(prod).sort()).toEqual(expected);
    expect(idsOf(dev).sort()).toEqual(expected.filter((id) => id !== 'ArchiverFunction'));
    const ofEdge = ['ReadGetPage', 'FrontDoorWatchFunction'];
    expect(idsOf(template('noEdge')).sort()).toEqual(
      expected.filter((id) => ![...ofEdge, 'ArchiverFunction'].includes(id)),
    );
  });

  it('run on Node 24 and arm64, and their logs expire', () => {
    for (const [, { Properties }] of resources(dev, 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    }
    const days = (from: typeof dev) =>
      new Set(resources(from, 'AWS::Logs::LogGroup').map(([, { Properties }]) => Properties.RetentionInDays));
    expect(days(dev)).toEqual(new Set([7]));
    expect(days(prod)).toEqual(new Set([30]));
  });

  it.each(Object.keys(ENVIRONMENT) as FunctionName[])('have exactly the variables of the contract: %s', (name) => {
    // Node and glibc read those of the archive's job.
    const ofNode = name === 'archive-snapshots' ? ['MALLOC_MMAP_THRESHOLD_', 'NODE_OPTIONS'] : [];
    const expected = [...Object.keys(ENVIRONMENT[name]), 'METRICS_NAMESPACE', ...ofNode].sort();
    expect(Object.keys(variables(name)).sort()).toEqual(expected);
  });

  it('have the values of the stage', () => {
    expect(variables('list-markets')).toMatchObject({
      SNAPSHOT_TABLE: { Ref: 'SnapshotsTableAE12316E' },
      RATE_LIMIT_TABLE: { Ref: 'RateLimitsTable29A563C1' },
      REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      RATE_LIMIT_TIMEOUT_MS: '2000',
      FRONT_DOOR: 'on',
      PUBLIC_API_KEY_IDS: { Ref: 'PublicKey3193489A' },
      METRICS_NAMESPACE: 'MarketDataProxy/dev',
    });
    expect(variables('refresh-snapshot')).toMatchObject({
      GAMMA_URL: UPSTREAMS.gamma.url,
      CLOB_URL: UPSTREAMS.clob.url,
      DATA_URL: UPSTREAMS.data.url,
      MAX_MARKETS: String(MAX_MARKETS_DEFAULT),
      ARCHIVE: 'off',
    });
    expect(variables('get-page')).toMatchObject({ PAGE_FILES: 'page.json', SITE_URL: '' });
  });

  it('have the memory and the time that they need', () => {
    const needs = (name: FunctionName) => {
      const { MemorySize, Timeout } = lambdaFunction(name).Properties;
      return [MemorySize, Timeout];
    };
    expect(needs('list-markets')).toEqual([1_024, 10]);
    // A live endpoint responds within 4 s, a check of the front door within 50 s.
    expect(needs('get-order-book')).toEqual([512, 10]);
    expect(needs('watch-front-door')).toEqual([128, 55]);
    expect(needs('archive-snapshots')).toEqual([1_769, 900]);
  });

  it('reserve concurrent executions only where the stage says so: for the refresher and for live endpoints', () => {
    const reserved = (from: typeof dev) =>
      resources(from, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[id.slice(0, -8), Properties.ReservedConcurrentExecutions]],
      );
    expect(reserved(dev)).toEqual([]);
    const live = ['GetOrderBook', 'ListOrderBooks', 'GetClobBook', 'GetPricesHistory', 'GetPricesHistories'];
    expect(Object.fromEntries(reserved(template('changed')))).toEqual({
      RefresherFunction: 2,
      ...Object.fromEntries([...live, 'GetMarket', 'Mcp'].map((name) => [`Read${name}`, 20])),
    });
  });

  it('follow the settings', () => {
    const changed = template('changed');
    const urls = ['GAMMA_URL', 'CLOB_URL', 'DATA_URL'].map((name) => variables('refresh-snapshot', changed)[name]);
    expect(urls).toEqual(Array(3).fill('https://upstream.example.com'));
    expect(variables('refresh-snapshot', changed).MAX_MARKETS).toBe('10000');
    expect(lambdaFunction('refresh-snapshot', changed).Properties.MemorySize).toBe(1_024);
    expect(lambdaFunction('refresh-snapshot').Properties.MemorySize).toBe(512);
    expect(variables('list-markets', template('noEdge')).FRONT_DOOR).toBe('off');
    expect(variables('watch-front-door', changed).FRONT_DOOR_URL).toBe('https://markets.example.com');
    const ids = variables('list-markets', changed).PUBLIC_API_KEY_IDS;
    expect(JSON.stringify(ids)).toMatch(/PublicKey3193489A.*","|,.*PublicKey2/);
  });
});

type ResourceArn = { readonly 'Fn::GetAtt': readonly [string, string] };

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: ResourceArn | { readonly 'Fn::Join': readonly [string, readonly [ResourceArn, string]] };
}

/** The logical id of a resource without its hash, and the path in it. */
function resourceOf({ Resource: resource }: Statement): string {
  const [arn, path] = 'Fn::Join' in resource ? resource['Fn::Join'][1] : [resource, ''];
  return `${arn['Fn::GetAtt'][0].slice(0, -8)}${path}`;
}

/** The rights of a function's role as `action on resource`. */
function rightsOf(name: FunctionName): readonly string[] {
  const [roleId] = (lambdaFunction(name).Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'];
  const role = templateWith(name).Resources[roleId]?.Properties ?? {};
  expect(role.ManagedPolicyArns).toBeUndefined();
  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap((statement) =>
      [statement.Action].flat().map((action) => `${action} on ${resourceOf(statement)}`),
    ),
  );
}

describe('the rights', () => {
  const LOG = (name: FunctionName) =>
    ['CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action} on ${logicalIdOf(name)}Logs`);
  const SNAPSHOT = ['dynamodb:GetItem on SnapshotsTable'];
  const LIMIT = ['dynamodb:GetItem on RateLimitsTable', 'dynamodb:UpdateItem on RateLimitsTable'];
  const rightsFor = (routes: readonly RouteName[]) => {
    const rights = routes.flatMap((route) => [
      ...(ROUTES[route].source === 'snapshot' ? SNAPSHOT : []),
      ...(ROUTES[route].counted ? LIMIT : []),
    ]);
    return [...new Set(rights)];
  };
  const RIGHTS: Readonly<Record<string, readonly string[]>> = {
    'refresh-snapshot': ['GetItem', 'PutItem', 'Query'].map((action) => `dynamodb:${action} on SnapshotsTable`),
    'archive-snapshots': [
      ...['dynamodb:GetItem on SnapshotsTable', 'dynamodb:Query on SnapshotsTable', 's3:ListBucket on ArchiverBucket'],
      ...['s3:GetObject on ArchiverBucket/archive/*', 's3:PutObject on ArchiverBucket/archive/*'],
    ],
    'watch-front-door': [],
    ...Object.fromEntries([...ROUTES_BY_FUNCTION].map(([name, routes]) => [name, rightsFor(routes)])),
  };

  it('are listed for every function', () => {
    expect(Object.keys(RIGHTS).sort()).toEqual(Object.keys(ENVIRONMENT).sort());
  });

  it.each(Object.entries(RIGHTS))('of each function are exactly these: %s', (name, expected) => {
    const actual = rightsOf(name as FunctionName);
    expect([...actual].sort()).toEqual([...LOG(name as FunctionName), ...expected].sort());
  });

  it('are inline policies of roles, without wildcards', () => {
    expect(resources(dev, 'AWS::IAM::Policy')).toEqual([]);
    for (const [, { Properties }] of resources(dev, 'AWS::IAM::Role')) {
      expect(JSON.stringify(Properties.Policies)).not.toContain('*');
    }
  });

  it('of the scheduler are to invoke one function, for this account only', () => {
    const roles = resources(dev, 'AWS::IAM::Role').filter(([id]) => id.includes('Schedules'));
    expect(roles).toHaveLength(2);
    for (const [, { Properties }] of roles) {
      const account = '"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}';
      expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain(account);
      expect(JSON.stringify(Properties.Policies)).toContain('"Action":"lambda:InvokeFunction"');
    }
  });
});

describe('the archive', () => {
  const [, { Properties: bucket }] = only(prod, 'AWS::S3::Bucket');

  it('is a private, encrypted bucket that accepts TLS only, and its name is an output', () => {
    expect(bucket).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        ...{ BlockPublicAcls: true, BlockPublicPolicy: true },
        ...{ IgnorePublicAcls: true, RestrictPublicBuckets: true },
      },
    });
    const [, policy] = only(prod, 'AWS::S3::BucketPolicy');
    expect(policy.Properties.PolicyDocument).toMatchObject({
      Statement: [{ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } }, Principal: { AWS: '*' } }],
    });
    expect(prod.Outputs.ArchiveBucket?.Value).toEqual({ Ref: only(prod, 'AWS::S3::Bucket')[0] });
  });

  it('keeps overwritten and deleted files for 30 days', () => {
    expect(bucket).toMatchObject({
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

  it('can be in the bucket of a deleted stack', () => {
    const changed = template('changed');
    expect(variables('archive-snapshots', changed).ARCHIVE_BUCKET).toBe('archive-of-a-deleted-stack');
    expect(changed.Outputs.ArchiveBucket?.Value).toBe('archive-of-a-deleted-stack');
    expect(resources(changed, 'AWS::S3::Bucket')).toEqual([]);
    const roles = JSON.stringify(resources(changed, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Archiver')));
    expect(roles).toContain(':s3:::archive-of-a-deleted-stack/archive/*"');
  });

  it('is written at 00:20 UTC, of snapshots that the refresher keeps', () => {
    const schedules = resources(prod, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);
    expect(schedules.map(({ ScheduleExpression }) => ScheduleExpression)).toContain('cron(20 0 * * ? *)');
    expect(variables('refresh-snapshot', prod).ARCHIVE).toBe('on');
    expect(variables('archive-snapshots', prod)).toMatchObject({
      NODE_OPTIONS: '--max-semi-space-size=2',
      MALLOC_MMAP_THRESHOLD_: '131072',
    });
  });
});

describe('the tables', () => {
  it('have the keys and the time to live of the code', () => {
    const [snapshots, rateLimits] = resources(dev, 'AWS::DynamoDB::Table').map(([, { Properties }]) => Properties);
    const partition = { AttributeName: SNAPSHOT_KEYS.partition, KeyType: 'HASH' };
    expect(snapshots).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [partition, { AttributeName: SNAPSHOT_KEYS.sort, KeyType: 'RANGE' }],
      AttributeDefinitions: [{ AttributeType: 'S' }, { AttributeType: 'N' }],
      TimeToLiveSpecification: { AttributeName: SNAPSHOT_KEYS.ttl, Enabled: true },
    });
    expect(rateLimits).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: RATE_LIMIT_KEYS.partition, KeyType: 'HASH' }],
      TimeToLiveSpecification: { AttributeName: RATE_LIMIT_KEYS.ttl, Enabled: true },
    });
  });
});

describe('the schedules', () => {
  const rows = resources(dev, 'AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties);

  it('begin one run a minute, full runs and price runs in turn, and check the front door every three minutes', () => {
    const minutes = new Map(
      rows.map(({ ScheduleExpression, Target }) => {
        const [, list = ''] = /^cron\(([\d,]+) \* \* \* \? \*\)$/.exec(String(ScheduleExpression)) ?? [];
        return [(Target as { Input?: string }).Input, list.split(',').map(Number)] as const;
      }),
    );
    const [full = [], prices = []] = ['full', 'prices'].map((kind) => minutes.get(JSON.stringify({ kind })));
    const kinds = Array.from({ length: 60 }, (_, minute) => [full.includes(minute), prices.includes(minute)]);
    expect(kinds).toEqual(kinds.map((_, minute) => (minute % 2 === 0 ? [true, false] : [false, true])));
    const checks = minutes.get(undefined) ?? [];
    expect(checks).toHaveLength(20);
    expect(checks.filter((minute) => minute % 3 !== 0)).toEqual([]);
  });

  it('drop an invocation that is a minute late', () => {
    for (const { Target, FlexibleTimeWindow } of rows) {
      expect(FlexibleTimeWindow).toEqual({ Mode: 'OFF' });
      expect(Target).toMatchObject({ RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 1 } });
    }
    const invoked = resources(dev, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties);
    expect(invoked).toHaveLength(2);
    for (const each of invoked) {
      expect(each).toMatchObject({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
    }
  });

  it('leave a full run the time until the next one', () => {
    expect(lambdaFunction('refresh-snapshot').Properties.Timeout).toBe(118);
  });
});
