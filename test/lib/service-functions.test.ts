import { describe, expect, it } from '@jest/globals';
import { ENVIRONMENT, type FunctionName } from '../../lambda/io/platform/environment.ts';
import { UPSTREAMS } from '../../lambda/io/upstream/upstreams.ts';
import {
  functionId,
  lambdaFunction,
  resources,
  type Template,
  template,
  variables,
  withoutHash,
} from './templates.ts';

const dev = template('dev');
const prod = template('prod');
const noEdge = template('noEdge');
const changed = template('changed');

describe('the functions', () => {
  it('are one for each handler that the stage needs [sentence 41]', () => {
    const idsOf = (from: Template) =>
      resources(from, 'AWS::Lambda::Function').map(([id]) => withoutHash(id));
    const handlers = Object.keys(ENVIRONMENT);
    const allExcept = (...left: readonly string[]) =>
      handlers.filter((handler) => !left.includes(handler)).map(functionId);
    expect(idsOf(prod).sort()).toEqual(allExcept().sort());
    // Only production has an archive, and the page needs an edge.
    expect(idsOf(dev).sort()).toEqual(allExcept('archive-snapshots').sort());
    expect(idsOf(noEdge).sort()).toEqual(allExcept('archive-snapshots', 'get-page').sort());
  });

  it('have logs that expire, in production after 30 days', () => {
    const days = (from: Template) =>
      new Set(
        resources(from, 'AWS::Logs::LogGroup').map(
          ([, { Properties }]) => Properties.RetentionInDays,
        ),
      );
    expect(days(dev)).toEqual(new Set([7]));
    expect(days(prod)).toEqual(new Set([30]));
  });

  // The table in function-variables.test.ts shows the simulated upstream and the edge.
  it('read Polymarket unless the settings name another upstream', () => {
    const [GAMMA_URL, CLOB_URL, DATA_URL] = [
      UPSTREAMS.gamma.url,
      UPSTREAMS.clob.url,
      UPSTREAMS.data.url,
    ];
    const refresher = variables(dev, 'refresh-snapshot');
    expect(refresher).toMatchObject({ GAMMA_URL, CLOB_URL, DATA_URL });
    const archive = { GAMMA_URL, DATA_URL, UPSTREAM: 'live', STAGE: 'prod' };
    expect(variables(prod, 'archive-snapshots')).toMatchObject(archive);
  });

  it('trust no address that a front door sends where there is none', () => {
    expect(variables(noEdge, 'list-markets').FRONT_DOOR).toBe('off');
  });

  it('check the API with its key where there is no edge', () => {
    const { BASE_URL, API_KEY } = variables(noEdge, 'check-service');
    expect(JSON.stringify(BASE_URL)).toContain('execute-api');
    expect(JSON.stringify(API_KEY)).toMatch(/{{resolve:secretsmanager:.*"Ref":"PublicKeyValue/);
  });

  it('have more memory for more markets', () => {
    const ofRefresher = (from: Template) => [
      variables(from, 'refresh-snapshot').MAX_MARKETS,
      lambdaFunction(from, 'refresh-snapshot').MemorySize,
    ];
    expect(ofRefresher(dev)).toEqual(['2000', 512]);
    expect(ofRefresher(changed)).toEqual(['10000', 1_024]);
    expect(ofRefresher(noEdge)).toEqual([expect.any(String), 1_024]);
    expect(ofRefresher(template('prodVirginia'))).toEqual([expect.any(String), 512]);
  });

  it('run on Arm', () => {
    for (const [, { Properties }] of resources(prod, 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
    }
  });
});

type ResourceArn = { readonly 'Fn::GetAtt': readonly [string, string] };

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource:
    | ResourceArn
    | { readonly 'Fn::Join': readonly [string, readonly [ResourceArn, string]] };
}

/** The logical id of a resource without its hash, and the path in it. */
function resourceOf({ Resource: resource }: Statement): string {
  const [arn, path] = 'Fn::Join' in resource ? resource['Fn::Join'][1] : [resource, ''];
  return `${withoutHash(arn['Fn::GetAtt'][0])}${path}`;
}

/** The rights of a function's role as `action on resource`. */
function rightsOf(handler: FunctionName): readonly string[] {
  // Only a stage with an archive has its job.
  const from = handler === 'archive-snapshots' ? prod : dev;
  const [roleId] = (lambdaFunction(from, handler).Role as { 'Fn::GetAtt': [string, string] })[
    'Fn::GetAtt'
  ];
  const role = from.Resources[roleId]?.Properties ?? {};
  expect(role.ManagedPolicyArns).toBeUndefined();
  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap((statement) =>
      [statement.Action].flat().map((action) => `${action} on ${resourceOf(statement)}`),
    ),
  );
}

describe('the rights', () => {
  const SNAPSHOT = ['dynamodb:GetItem on SnapshotsTable'];
  const LIMIT = ['dynamodb:GetItem on RateLimitsTable', 'dynamodb:UpdateItem on RateLimitsTable'];
  const RIGHTS: Readonly<Record<FunctionName, readonly string[]>> = {
    'list-markets': [...SNAPSHOT, ...LIMIT],
    'search-markets': [...SNAPSHOT, ...LIMIT],
    'get-market': [...SNAPSHOT, ...LIMIT],
    'get-market-rules': LIMIT,
    'list-tags': [...SNAPSHOT, ...LIMIT],
    'list-events': [...SNAPSHOT, ...LIMIT],
    'get-event': [...SNAPSHOT, ...LIMIT],
    mcp: [...SNAPSHOT, ...LIMIT],
    'get-order-book': LIMIT,
    'list-order-books': LIMIT,
    'get-prices-history': LIMIT,
    'get-prices-histories': LIMIT,
    'get-status': [...SNAPSHOT, ...LIMIT],
    'get-openapi': LIMIT,
    'get-llms-txt': LIMIT,
    'get-page': SNAPSHOT,
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
      resources(prod, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Archiver')),
    );
    // A request for a file has no prefix. The condition holds without one, so that S3 responds 404
    // for a missing file.
    const condition = '"Condition":{"StringLikeIfExists":{"s3:prefix":"archive/*"}}';
    expect(roles).toContain(`{"Action":"s3:ListBucket",${condition},"Effect":"Allow"`);
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
