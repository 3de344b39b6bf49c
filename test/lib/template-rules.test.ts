import { describe, expect, it } from '@jest/globals';
import { template } from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

/**
 * What a template may contain, because nothing here has run on AWS: types and values that thousands
 * of public templates contain. cfn-lint knows the shapes of the values (`npm run synth`); the
 * sentences here are those of AWS that it does not know. The page of a type is
 * docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-<service>-<type>.html.
 */
const TYPES_BY_SERVICE = {
  ApiGateway: `Account ApiKey Deployment GatewayResponse Method Resource RestApi Stage
    UsagePlan UsagePlanKey`,
  Budgets: 'Budget',
  CloudFront: 'Distribution Function',
  CloudWatch: 'Alarm Dashboard',
  DynamoDB: 'Table',
  IAM: 'Role',
  Lambda: 'EventInvokeConfig Function Permission',
  Logs: 'LogGroup MetricFilter QueryDefinition',
  S3: 'Bucket BucketPolicy',
  SNS: 'Subscription Topic TopicPolicy',
  Scheduler: 'Schedule',
  SecretsManager: 'Secret',
  WAFv2: 'WebACL WebACLAssociation',
};
const TYPES = Object.entries(TYPES_BY_SERVICE).flatMap(([service, names]) =>
  names.split(/\s+/).map((name) => `AWS::${service}::${name}`),
);

/** A template is any JSON. */
type Json = ReturnType<typeof JSON.parse>;
interface Template {
  readonly Resources: Record<string, { Type: string; Properties?: Json }>;
  readonly Outputs: Record<string, Json>;
}

const of = (from: Template, type: string): Json[] =>
  Object.values(from.Resources).flatMap(({ Type, Properties = {} }) =>
    Type === `AWS::${type}` ? [Properties] : [],
  );
const originOf = ({ DistributionConfig }: Json): Json =>
  DistributionConfig.Origins[0].CustomOriginConfig;

type IsKept = (from: Template) => boolean;
type Violate = (from: Template) => void;
/** Each resource of a type keeps the rule. */
const each =
  (type: string, isKept: (properties: Json) => boolean): IsKept =>
  (from) =>
    of(from, type).every(isKept);
/** Changes the first resource of a type. */
const changed =
  (type: string, change: (properties: Json) => void): Violate =>
  (from) =>
    change(of(from, type)[0]);

/** AWS's sentence or ours: whether a template keeps it, and a change that breaks it. */
const RULES: Readonly<Record<string, readonly [IsKept, Violate]>> = {
  'only these types of resources': [
    (from) => Object.values(from.Resources).every(({ Type }) => TYPES.includes(Type)),
    (from) => Object.assign(from.Resources, { X: { Type: 'Custom::S3AutoDeleteObjects' } }),
  ],
  'at most 200 resources': [
    (from) => Object.keys(from.Resources).length <= 200,
    (from) => {
      for (let n = 0; n < 60; n += 1)
        from.Resources[`Table${n}`] = { Type: 'AWS::DynamoDB::Table', Properties: {} };
    },
  ],
  'no stack reads another': [
    (from) => !/"Fn::(ImportValue|GetStackOutput)"|"Export":/.test(JSON.stringify(from)),
    (from) => Object.assign(from.Outputs, { X: { Value: { 'Fn::GetStackOutput': {} } } }),
  ],
  'each alarm reads one metric, without an evaluation window': [
    each('CloudWatch::Alarm', (one) => one.MetricName && !one.Metrics && !one.EvaluationWindow),
    changed('CloudWatch::Alarm', (one) => {
      one.EvaluationWindow = { WallClockWindow: {} };
    }),
  ],
  'no throttle of a method in a usage plan': [
    each('ApiGateway::UsagePlan', ({ ApiStages }) =>
      ApiStages.every(({ Throttle }: Json) => Object.keys(Throttle).length === 0),
    ),
    changed('ApiGateway::UsagePlan', ({ ApiStages }) => {
      ApiStages[0].Throttle = { '/api/status/GET': {} };
    }),
  ],
  'Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn’t currently supported.': [
    each('ApiGateway::GatewayResponse', (one) => one.ResponseType !== 'REQUEST_TOO_LARGE'),
    changed('ApiGateway::GatewayResponse', (one) => {
      one.ResponseType = 'REQUEST_TOO_LARGE';
    }),
  ],
  'one template for each gateway response: AWS documents no order of two': [
    each('ApiGateway::GatewayResponse', (one) => Object.keys(one.ResponseTemplates).length === 1),
    changed('ApiGateway::GatewayResponse', (one) => {
      one.ResponseTemplates['text/html'] = '';
    }),
  ],
  // It is "the status code returned from AWS Lambda, not from the backend Lambda function".
  'no log of $context.integrationStatus': [
    each('ApiGateway::Stage', (one) => !JSON.stringify(one).includes('$context.integrationStatus')),
    changed('ApiGateway::Stage', (one) => {
      one.Format = '$context.integrationStatus';
    }),
  ],
  'The maximum size of a function is 10 KB': [
    each('CloudFront::Function', (one) => Buffer.byteLength(one.FunctionCode) <= 10_240),
    changed('CloudFront::Function', (one) => {
      one.FunctionCode = ' '.repeat(10_241);
    }),
  ],
  'the origin speaks TLS 1.2 only': [
    each('CloudFront::Distribution', (one) => `${originOf(one).OriginSSLProtocols}` === 'TLSv1.2'),
    changed('CloudFront::Distribution', (one) => {
      originOf(one).OriginSSLProtocols = ['TLSv1'];
    }),
  ],
  'DescribeStacks returns non-ASCII characters of an output as ?': [
    (from) => /^[\x20-\x7e]*$/.test(JSON.stringify(from.Outputs)),
    (from) => Object.assign(from.Outputs, { X: { Value: '…' } }),
  ],
};

/** The names of the rules that a template violates. */
const broken = (from: Template) =>
  Object.entries(RULES).flatMap(([rule, [isKept]]) => (isKept(from) ? [] : [rule]));

describe('a template', () => {
  it.each(Object.keys(VARIANTS) as Variant[])('keeps every rule: %s', (variant) => {
    expect(broken(template(variant))).toEqual([]);
  });

  it.each(Object.entries(RULES))(
    'that violates a rule breaks no other: %s',
    (rule, [, violate]) => {
      const violating = structuredClone(template('changed')) as Template;
      violate(violating);
      expect(broken(violating)).toEqual([rule]);
    },
  );
});
