/**
 * The Lambda functions of the stack: one for each file in `lambda/handlers`, with the rights that it
 * needs and no others.
 */
import { describe, expect, it } from '@jest/globals';
import { ENVIRONMENT, type FunctionName } from '../../lambda/io/platform/environment.ts';
import { UPSTREAMS } from '../../lambda/io/upstream/upstreams.ts';
import {
  functionId,
  idsOf,
  lambdaFunction,
  propertiesOf,
  resources,
  type Template,
  template,
  variables,
  withoutHash,
} from './templates.ts';

const dev = template('dev');
const prod = template('prod');
const noEdge = template('noEdge');

describe('the functions', () => {
  it('are one for each handler that the stage needs [sentence 41]', () => {
    const functionsOf = (from: Template) =>
      idsOf(from, 'AWS::Lambda::Function').map(withoutHash).sort();
    const allExcept = (...left: readonly string[]) =>
      Object.keys(ENVIRONMENT)
        .filter((handler) => !left.includes(handler))
        .map(functionId)
        .sort();
    expect(functionsOf(prod)).toEqual(allExcept());
    // Only production has an archive, and the page needs an edge.
    expect(functionsOf(dev)).toEqual(allExcept('archive-snapshots'));
    expect(functionsOf(noEdge)).toEqual(allExcept('archive-snapshots', 'get-page'));
  });

  it('have logs that expire, in production after 30 days', () => {
    for (const { RetentionInDays } of propertiesOf(dev, 'AWS::Logs::LogGroup'))
      expect(RetentionInDays).toBe(7);
    for (const { RetentionInDays } of propertiesOf(prod, 'AWS::Logs::LogGroup'))
      expect(RetentionInDays).toBe(30);
  });

  // The table in function-variables.test.ts shows the simulated upstream and the edge.
  it('read Polymarket unless the settings name another upstream', () => {
    const { gamma, clob, data } = UPSTREAMS;
    expect(variables(dev, 'refresh-snapshot')).toMatchObject({
      GAMMA_URL: gamma.url,
      CLOB_URL: clob.url,
      DATA_URL: data.url,
    });
    expect(variables(prod, 'archive-snapshots')).toMatchObject({
      GAMMA_URL: gamma.url,
      DATA_URL: data.url,
      UPSTREAM: 'live',
      STAGE: 'prod',
    });
  });

  it('trust no header with the address of a caller if there is no edge to set it', () => {
    expect(variables(noEdge, 'list-markets').FRONT_DOOR).toBe('off');
  });

  it('check the API with its key where there is no edge', () => {
    const { BASE_URL, API_KEY } = variables(noEdge, 'check-service');
    expect(JSON.stringify(BASE_URL)).toContain('execute-api');
    expect(JSON.stringify(API_KEY)).toMatch(/{{resolve:secretsmanager:.*"Ref":"PublicKeyValue/);
  });

  it.each([
    { variant: 'dev', maxMarkets: '2000', megabytes: 512 },
    { variant: 'prodVirginia', maxMarkets: '4000', megabytes: 512 },
    { variant: 'noEdge', maxMarkets: '4001', megabytes: 1_024 },
    { variant: 'changed', maxMarkets: '10000', megabytes: 1_024 },
  ] as const)(
    'have $megabytes MB to refresh $maxMarkets markets',
    ({ variant, maxMarkets, megabytes }) => {
      const from = template(variant);
      expect(variables(from, 'refresh-snapshot').MAX_MARKETS).toBe(maxMarkets);
      expect(lambdaFunction(from, 'refresh-snapshot').MemorySize).toBe(megabytes);
    },
  );

  it('run on Arm', () => {
    for (const properties of propertiesOf(prod, 'AWS::Lambda::Function')) {
      expect(properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    }
  });
});

/** The ARN of a resource, such as `{ 'Fn::GetAtt': ['SnapshotsTableAE12316E', 'Arn'] }`. */
type ResourceArn = { readonly 'Fn::GetAtt': readonly [id: string, attribute: string] };
/** A path in a resource, such as `{ 'Fn::Join': ['', [arnOfTheBucket, '/archive/*']] }`. */
type ResourcePath = {
  readonly 'Fn::Join': readonly [separator: string, readonly [ResourceArn, path: string]];
};

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: ResourceArn | ResourcePath;
}

/** The logical id of a resource without its hash, and the path in it: `ArchiverBucket/archive/*`. */
function resourceOf({ Resource: resource }: Statement): string {
  const [arn, path] = 'Fn::Join' in resource ? resource['Fn::Join'][1] : [resource, ''];
  const [id] = arn['Fn::GetAtt'];
  return `${withoutHash(id)}${path}`;
}

/** The rights of a function's role as `action on resource`. */
function rightsOf(handler: FunctionName): readonly string[] {
  // Only a stage with an archive has its job.
  const from = handler === 'archive-snapshots' ? prod : dev;
  const roleArn = lambdaFunction(from, handler).Role as ResourceArn;
  const [roleId] = roleArn['Fn::GetAtt'];
  const role = from.Resources[roleId]?.Properties ?? {};
  expect(role.ManagedPolicyArns).toBeUndefined();
  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return statements.flatMap((statement) => {
    const actions = [statement.Action].flat();
    return actions.map((action) => `${action} on ${resourceOf(statement)}`);
  });
}

describe('the rights', () => {
  const READ_SNAPSHOT = ['dynamodb:GetItem on SnapshotsTable'];
  const COUNT_REQUESTS = [
    'dynamodb:GetItem on RateLimitsTable',
    'dynamodb:UpdateItem on RateLimitsTable',
  ];
  const RIGHTS: Readonly<Record<FunctionName, readonly string[]>> = {
    'list-markets': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'search-markets': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'get-market': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'get-market-rules': COUNT_REQUESTS,
    'list-tags': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'list-events': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'get-event': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    mcp: [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'get-order-book': COUNT_REQUESTS,
    'list-order-books': COUNT_REQUESTS,
    'get-prices-history': COUNT_REQUESTS,
    'get-prices-histories': COUNT_REQUESTS,
    'get-status': [...READ_SNAPSHOT, ...COUNT_REQUESTS],
    'get-openapi': COUNT_REQUESTS,
    'get-llms-txt': COUNT_REQUESTS,
    'get-page': READ_SNAPSHOT,
    'refresh-snapshot': ['GetItem', 'PutItem', 'Query'].map(
      (action) => `dynamodb:${action} on SnapshotsTable`,
    ),
    'archive-snapshots': [
      'dynamodb:GetItem on SnapshotsTable',
      'dynamodb:Query on SnapshotsTable',
      's3:ListBucket on ArchiverBucket',
      's3:GetObject on ArchiverBucket/archive/*',
      's3:PutObject on ArchiverBucket/archive/*',
    ],
    'check-service': [],
  };

  it.each(Object.keys(ENVIRONMENT) as FunctionName[])(
    'of each function are exactly these: %s',
    (handler) => {
      const log = ['CreateLogStream', 'PutLogEvents'].map(
        (action) => `logs:${action} on ${functionId(handler)}Logs`,
      );
      expect([...rightsOf(handler)].sort()).toEqual([...log, ...RIGHTS[handler]].sort());
    },
  );

  it('to list the bucket of the archive end at its folder', () => {
    const roles = JSON.stringify(
      resources(prod, 'AWS::IAM::Role').filter(({ id }) => id.startsWith('Archiver')),
    );
    // A request for a file has no prefix. The condition holds without one, so that S3 responds 404
    // for a missing file.
    const condition = '"Condition":{"StringLikeIfExists":{"s3:prefix":"archive/*"}}';
    expect(roles).toContain(`{"Action":"s3:ListBucket",${condition},"Effect":"Allow"`);
  });

  it('are inline policies of roles, without wildcards', () => {
    expect(resources(dev, 'AWS::IAM::Policy')).toEqual([]);
    for (const { Policies } of propertiesOf(dev, 'AWS::IAM::Role')) {
      expect(JSON.stringify(Policies)).not.toContain('*');
    }
  });

  it('of the scheduler are to invoke one function, for this account only', () => {
    const roles = resources(dev, 'AWS::IAM::Role').filter(({ id }) => id.includes('Schedules'));
    // Of the refresher and of the check.
    expect(roles).toHaveLength(2);
    for (const { properties } of roles) {
      const account = '"StringEquals":{"aws:SourceAccount":{"Ref":"AWS::AccountId"}}';
      expect(JSON.stringify(properties.AssumeRolePolicyDocument)).toContain(account);
      expect(JSON.stringify(properties.Policies)).toContain('"Action":"lambda:InvokeFunction"');
    }
  });
});
