import { describe, expect, it } from '@jest/globals';
import { template } from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

/**
 * What a template may contain, because nothing here has run on AWS: types and values that thousands of public templates
 * contain. cfn-lint knows the shapes of the values (`npm run synth`); the sentences here are those of AWS that it does not
 * know. The page of a type is docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-<service>-<type>.html.
 */
const TYPES = [
  ...['Account', 'ApiKey', 'Deployment', 'GatewayResponse', 'Method', 'Resource', 'RestApi', 'Stage'].map(inApi),
  ...['UsagePlan', 'UsagePlanKey'].map(inApi),
  ...['AWS::Budgets::Budget', 'AWS::CloudFront::Distribution', 'AWS::CloudFront::Function', 'AWS::CloudWatch::Alarm'],
  ...['AWS::CloudWatch::Dashboard', 'AWS::DynamoDB::Table', 'AWS::IAM::Role', 'AWS::Lambda::EventInvokeConfig'],
  ...['AWS::Lambda::Function', 'AWS::Lambda::Permission', 'AWS::Logs::LogGroup', 'AWS::Logs::MetricFilter'],
  ...['AWS::Logs::QueryDefinition', 'AWS::S3::Bucket', 'AWS::S3::BucketPolicy', 'AWS::SNS::Subscription'],
  ...['AWS::SNS::Topic', 'AWS::SNS::TopicPolicy', 'AWS::Scheduler::Schedule', 'AWS::SecretsManager::Secret'],
];

function inApi(name: string): string {
  return `AWS::ApiGateway::${name}`;
}

/** A template is any JSON. */
type Json = ReturnType<typeof JSON.parse>;
interface Template {
  readonly Resources: Record<string, { Type: string; Properties?: Json }>;
  readonly Outputs: Record<string, Json>;
}

const of = (from: Template, type: string): Json[] =>
  Object.values(from.Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));
const distributions = (from: Template) =>
  of(from, 'AWS::CloudFront::Distribution').map((each) => each.DistributionConfig);

/** A rule, AWS's sentence or ours, and whether a template keeps it. */
const RULES: Readonly<Record<string, (from: Template) => boolean>> = {
  'only these types of resources': (from) => Object.values(from.Resources).every(({ Type }) => TYPES.includes(Type)),
  'at most 200 resources': (from) => Object.keys(from.Resources).length <= 200,
  'no stack reads another': (from) => !/"Fn::(ImportValue|GetStackOutput)"|"Export":/.test(JSON.stringify(from)),
  'each alarm reads one metric, without an evaluation window': (from) =>
    of(from, 'AWS::CloudWatch::Alarm').every(
      (one) => !('Metrics' in one || 'EvaluationWindow' in one) && one.MetricName,
    ),
  'Valid values [of an alarm’s period] are 10, 20, 30, 60, and any multiple of 60.': (from) =>
    of(from, 'AWS::CloudWatch::Alarm').every(({ Period }) => Period % 60 === 0),
  'The number of evaluation periods multiplied by the length of each can be one day, or seven with periods of an hour':
    (from) =>
      of(from, 'AWS::CloudWatch::Alarm').every(
        ({ Period, EvaluationPeriods }) => Period * EvaluationPeriods <= (Period < 3_600 ? 86_400 : 604_800),
      ),
  'no throttle of a method in a usage plan': (from) =>
    of(from, 'AWS::ApiGateway::UsagePlan').every(({ ApiStages }) =>
      ApiStages.every((one: Json) => Object.keys(one.Throttle).length === 0),
    ),
  'Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn’t currently supported.': (from) =>
    of(from, 'AWS::ApiGateway::GatewayResponse').every(({ ResponseType }) => ResponseType !== 'REQUEST_TOO_LARGE'),
  'one template for each gateway response: AWS documents no order of two': (from) =>
    of(from, 'AWS::ApiGateway::GatewayResponse').every((one) => Object.keys(one.ResponseTemplates).length === 1),
  '$context.integrationStatus: the status code returned from AWS Lambda, not from the backend Lambda function': (
    from,
  ) => of(from, 'AWS::ApiGateway::Stage').every((one) => !JSON.stringify(one).includes('$context.integrationStatus')),
  'enable compression (with non-negative between 0 and 10485760 (10M) bytes, inclusive)': (from) =>
    of(from, 'AWS::ApiGateway::RestApi').every((one) => one.MinimumCompressionSize <= 10_485_760),
  'The maximum size of a function is 10 KB': (from) =>
    of(from, 'AWS::CloudFront::Function').every((one) => Buffer.byteLength(one.FunctionCode) <= 10_240),
  'The minimum timeout is 1 second, the maximum is 120 seconds': (from) =>
    distributions(from).every(({ Origins: [one] }) => one.CustomOriginConfig.OriginKeepaliveTimeout <= 120),
  'CloudFront recommends TLSv1.2_2021 for a domain of your own; it sets TLSv1 for its own domain': (from) =>
    distributions(from).every((one) => !one.Aliases || one.ViewerCertificate.MinimumProtocolVersion === 'TLSv1.2_2021'),
  'the origin speaks TLS 1.2 only': (from) =>
    distributions(from).every(({ Origins: [one] }) => `${one.CustomOriginConfig.OriginSSLProtocols}` === 'TLSv1.2'),
  'DescribeStacks returns non-ASCII characters of an output as ?': (from) =>
    /^[\x20-\x7e]*$/.test(JSON.stringify(from.Outputs)),
};

const broken = (from: Template) => Object.entries(RULES).flatMap(([rule, isKept]) => (isKept(from) ? [] : [rule]));

describe('a template', () => {
  it.each(Object.keys(VARIANTS) as Variant[])('keeps every rule: %s', (variant) => {
    expect(broken(template(variant))).toEqual([]);
  });

  const first = (from: Template, type: string): Json => of(from, type)[0];
  const PLANTED: readonly ((from: Template) => void)[] = [
    (from) => Object.assign(from.Resources, { X: { Type: 'Custom::S3AutoDeleteObjects' } }),
    (from) => {
      for (let n = 0; n < 60; n += 1) from.Resources[`Table${n}`] = { Type: 'AWS::DynamoDB::Table', Properties: {} };
    },
    (from) => Object.assign(from.Outputs, { X: { Value: { 'Fn::GetStackOutput': {} } } }),
    (from) => Object.assign(first(from, 'AWS::CloudWatch::Alarm'), { EvaluationWindow: { WallClockWindow: {} } }),
    (from) => Object.assign(first(from, 'AWS::CloudWatch::Alarm'), { Period: 90, EvaluationPeriods: 1 }),
    (from) => Object.assign(first(from, 'AWS::CloudWatch::Alarm'), { EvaluationPeriods: 289 }),
    (from) =>
      Object.assign(first(from, 'AWS::ApiGateway::UsagePlan').ApiStages[0], { Throttle: { '/api/status/GET': {} } }),
    (from) => Object.assign(first(from, 'AWS::ApiGateway::GatewayResponse'), { ResponseType: 'REQUEST_TOO_LARGE' }),
    (from) => Object.assign(first(from, 'AWS::ApiGateway::GatewayResponse').ResponseTemplates, { 'text/html': '' }),
    (from) => Object.assign(first(from, 'AWS::ApiGateway::Stage'), { Format: '$context.integrationStatus' }),
    (from) => Object.assign(first(from, 'AWS::ApiGateway::RestApi'), { MinimumCompressionSize: 10_485_761 }),
    (from) => Object.assign(first(from, 'AWS::CloudFront::Function'), { FunctionCode: ' '.repeat(10_241) }),
    (from) => Object.assign(distributions(from)[0].Origins[0].CustomOriginConfig, { OriginKeepaliveTimeout: 121 }),
    (from) => Object.assign(distributions(from)[0].ViewerCertificate, { MinimumProtocolVersion: 'TLSv1' }),
    (from) => Object.assign(distributions(from)[0].Origins[0].CustomOriginConfig, { OriginSSLProtocols: ['TLSv1'] }),
    (from) => Object.assign(from.Outputs, { X: { Value: '…' } }),
  ];

  it.each(PLANTED.map((plant, n) => [Object.keys(RULES)[n], plant] as const))('breaks exactly: %s', (rule, plant) => {
    const planted = structuredClone(template('changed')) as Template;
    plant(planted);
    expect(broken(planted)).toEqual([rule]);
  });

  it('of every rule a violation is planted', () => {
    expect(PLANTED).toHaveLength(Object.keys(RULES).length);
  });
});
