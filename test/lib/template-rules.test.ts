/**
 * Rules for the templates. They may contain only types and values that thousands of public
 * templates contain, because the project cannot try anything else on AWS. cfn-lint checks the shapes
 * of the values (`npm run synth`). The rules here are sentences of AWS that it does not check. Each
 * comes with a change that violates it, to show that the rule finds it. The page of a type is
 * docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-<service>-<type>.html.
 */
import { describe, expect, it } from '@jest/globals';
import { template } from './templates.ts';
import { VARIANTS, type Variant } from './variants.ts';

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

/** Any JSON, because a test changes it. */
type Json = ReturnType<typeof JSON.parse>;
interface AnyTemplate {
  readonly Resources: Record<string, { Type: string; Properties?: Json }>;
  readonly Outputs: Record<string, Json>;
}

interface Rule {
  /** The sentence of AWS, or ours. */
  readonly says: string;
  readonly isKept: (from: AnyTemplate) => boolean;
  /** Changes a template so that it breaks the rule. */
  readonly violate: (from: AnyTemplate) => void;
}

/** The properties of each resource of a type. */
function propertiesOf(from: AnyTemplate, type: string): Json[] {
  const found = Object.values(from.Resources).filter(({ Type }) => Type === `AWS::${type}`);
  return found.map(({ Properties = {} }) => Properties);
}

/** A rule for each resource of a type. `violate` changes the first one. */
function ruleOf(
  type: string,
  says: string,
  isKept: (properties: Json) => boolean,
  violate: (properties: Json) => void,
): Rule {
  return {
    says,
    isKept: (from) => propertiesOf(from, type).every(isKept),
    violate: (from) => violate(propertiesOf(from, type)[0]),
  };
}

const originOf = ({ DistributionConfig }: Json): Json =>
  DistributionConfig.Origins[0].CustomOriginConfig;

const RULES: readonly Rule[] = [
  {
    says: 'only these types of resources',
    isKept: ({ Resources }) => Object.values(Resources).every(({ Type }) => TYPES.includes(Type)),
    violate: ({ Resources }) => {
      Resources.New = { Type: 'Custom::S3AutoDeleteObjects' };
    },
  },
  {
    says: 'at most 200 resources',
    isKept: ({ Resources }) => Object.keys(Resources).length <= 200,
    violate: ({ Resources }) => {
      // The template has more than 140 without these.
      for (let n = 0; n < 60; n += 1) Resources[`Table${n}`] = { Type: 'AWS::DynamoDB::Table' };
    },
  },
  {
    says: 'no stack reads another',
    isKept: (from) => !/"Fn::(ImportValue|GetStackOutput)"|"Export":/.test(JSON.stringify(from)),
    violate: ({ Outputs }) => {
      Outputs.New = { Value: { 'Fn::GetStackOutput': {} } };
    },
  },
  {
    says: 'DescribeStacks returns non-ASCII characters of an output as ?',
    isKept: ({ Outputs }) => /^[\x20-\x7e]*$/.test(JSON.stringify(Outputs)),
    violate: ({ Outputs }) => {
      Outputs.New = { Value: '…' };
    },
  },
  ruleOf(
    'CloudWatch::Alarm',
    'each alarm reads one metric, without an evaluation window',
    (alarm) => alarm.MetricName && !alarm.Metrics && !alarm.EvaluationWindow,
    (alarm) => {
      alarm.EvaluationWindow = { WallClockWindow: {} };
    },
  ),
  ruleOf(
    'ApiGateway::UsagePlan',
    'no throttle of a method in a usage plan',
    (plan) => plan.ApiStages.every(({ Throttle }: Json) => Object.keys(Throttle).length === 0),
    (plan) => {
      plan.ApiStages[0].Throttle = { '/api/status/GET': {} };
    },
  ),
  ruleOf(
    'ApiGateway::GatewayResponse',
    'Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn’t currently supported.',
    (response) => response.ResponseType !== 'REQUEST_TOO_LARGE',
    (response) => {
      response.ResponseType = 'REQUEST_TOO_LARGE';
    },
  ),
  ruleOf(
    'ApiGateway::GatewayResponse',
    'one template for each gateway response: AWS documents no order of two',
    (response) => Object.keys(response.ResponseTemplates).length === 1,
    (response) => {
      response.ResponseTemplates['text/html'] = '';
    },
  ),
  ruleOf(
    'ApiGateway::Stage',
    // It is "the status code returned from AWS Lambda, not from the backend Lambda function".
    'no log of $context.integrationStatus',
    (stage) => !JSON.stringify(stage).includes('$context.integrationStatus'),
    (stage) => {
      stage.Format = '$context.integrationStatus';
    },
  ),
  ruleOf(
    'CloudFront::Function',
    'The maximum size of a function is 10 KB',
    ({ FunctionCode }) => Buffer.byteLength(FunctionCode) <= 10_240,
    (edgeFunction) => {
      edgeFunction.FunctionCode = ' '.repeat(10_241);
    },
  ),
  ruleOf(
    'CloudFront::Distribution',
    'the origin speaks TLS 1.2 only',
    (distribution) => `${originOf(distribution).OriginSSLProtocols}` === 'TLSv1.2',
    (distribution) => {
      originOf(distribution).OriginSSLProtocols = ['TLSv1'];
    },
  ),
];

/** The rules that a template violates. */
function brokenRules(from: AnyTemplate): readonly string[] {
  return RULES.filter(({ isKept }) => !isKept(from)).map(({ says }) => says);
}

describe('a template', () => {
  it.each(Object.keys(VARIANTS) as Variant[])('keeps every rule: %s', (variant) => {
    expect(brokenRules(template(variant))).toEqual([]);
  });

  it.each(RULES)('is found if it violates this rule alone: $says', ({ says, violate }) => {
    const violating = structuredClone(template('changed')) as AnyTemplate;
    violate(violating);
    expect(brokenRules(violating)).toEqual([says]);
  });
});
