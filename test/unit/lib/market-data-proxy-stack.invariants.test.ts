import { describe, expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../support/stack.ts';
import { NO_EDGE, OPERATED } from '../../support/variants.ts';

const STAGES = {
  'the default stage': synthesizeStack(),
  prod: synthesizeStack(...OPERATED),
  'a stage without the edge': synthesizeStack(...NO_EDGE),
};

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Not the CDK's own function that fills the bucket of the page; market-page.test.ts holds what it may do. */
const ours = ([id]: readonly [string, ...unknown[]]): boolean => !id.startsWith('CustomCDKBucketDeployment');

/** Properties under which CloudFormation takes a physical name; a stack with one cannot be deployed twice. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::ApiGateway::ApiKey': 'Name',
};

describe.each(Object.entries(STAGES))('%s', (name, template) => {
  const all = Object.entries(template.toJSON().Resources as Record<string, Record<string, unknown>>);

  it('runs every function on Node 24 and arm64', () => {
    for (const [id, { Properties }] of resources(template, 'AWS::Lambda::Function').filter(ours)) {
      expect({ id, ...Properties }).toMatchObject({ id, Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    }
  });

  it('lets every log group expire', () => {
    for (const [id, { Properties }] of resources(template, 'AWS::Logs::LogGroup')) {
      expect([id, [7, 30].includes(Number(Properties.RetentionInDays))]).toEqual([id, true]);
    }
  });

  it('grants no data access by wildcard', () => {
    const inline = resources(template, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
      ((Properties.Policies ?? []) as { PolicyDocument: unknown }[]).map((policy) => [id, policy] as const),
    );
    const attached = resources(template, 'AWS::IAM::Policy').map(
      ([id, { Properties }]) => [id, Properties] as const,
    );
    expect(attached.length + inline.length).toBeGreaterThan(7);
    for (const [id, { PolicyDocument }] of [...attached, ...inline].filter(ours)) {
      for (const { Action, Resource } of (PolicyDocument as { Statement: readonly Statement[] }).Statement) {
        const actions = [Action].flat();
        expect([id, actions.filter((action) => action.includes('*'))]).toEqual([id, []]);
        const reachesData = actions.some((action) => /^(dynamodb|sqs|secretsmanager|s3):/.test(action));
        if (reachesData) expect([id, JSON.stringify(Resource).includes('*')]).toEqual([id, false]);
      }
    }
  });

  it('names nothing physically', () => {
    const named = all.flatMap(([id, { Type, Properties = {} }]) => {
      const property = NAME_PROPERTIES[String(Type)];
      const value = property && (Properties as Record<string, unknown>)[property];
      return value === undefined || value === '' ? [] : [[id, value]];
    });
    expect(named).toEqual([]);
  });

  it('keeps the ids of its tables: another id is another, empty table', () => {
    expect(
      resources(template, 'AWS::DynamoDB::Table')
        .map(([id]) => id)
        .sort(),
    ).toEqual(['RateLimitsTable29A563C1', 'SnapshotsTableAE12316E']);
  });

  it('removes with the stack all that could outlive it, but for the logging role of the account', () => {
    const retained = all.filter(([, { DeletionPolicy, UpdateReplacePolicy }]) =>
      [DeletionPolicy, UpdateReplacePolicy].some((policy) => /^Retain/.test(String(policy ?? ''))),
    );
    const types = retained.map(([, { Type }]) => Type).sort();
    expect(types).toEqual(name === 'prod' ? ['AWS::ApiGateway::Account', 'AWS::IAM::Role'] : []);
    for (const type of [
      'AWS::DynamoDB::Table',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
      'AWS::SQS::Queue',
      'AWS::S3::Bucket',
    ]) {
      for (const [id, resource] of resources(template, type))
        expect([id, resource.DeletionPolicy]).toEqual([id, 'Delete']);
    }
  });

  it('encrypts its queues and lets nobody reach them without TLS', () => {
    const queues = resources(template, 'AWS::SQS::Queue');
    for (const [id, { Properties }] of queues)
      expect([id, Properties.SqsManagedSseEnabled]).toEqual([id, true]);
    const policies = JSON.stringify(resources(template, 'AWS::SQS::QueuePolicy'));
    expect(policies.match(/"aws:SecureTransport":"false"/g)).toHaveLength(queues.length);
  });

  it('talks TLS 1.2 to its origin and over HTTPS alone', () => {
    for (const [, { Properties }] of resources(template, 'AWS::CloudFront::Distribution')) {
      const { Origins } = Properties.DistributionConfig as { Origins: readonly Record<string, unknown>[] };
      for (const { CustomOriginConfig, S3OriginConfig } of Origins) {
        if (S3OriginConfig) continue; // CloudFront itself signs and encrypts what it asks of S3
        expect(CustomOriginConfig).toMatchObject({
          OriginProtocolPolicy: 'https-only',
          OriginSSLProtocols: ['TLSv1.2'],
        });
      }
    }
  });
});
