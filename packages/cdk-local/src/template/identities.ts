import { createHash } from 'node:crypto';
import type { Properties } from './properties.ts';

/** Where the stack pretends to be deployed. */
export interface Place {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
}

/** What `Ref` and `Fn::GetAtt` give for a resource. */
export interface Identity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

type Identify = (logicalId: string, properties: Properties, place: Place) => Identity;

/** An opaque id as API Gateway makes them: ten lower-case characters, the same at every start. */
export function opaqueId(logicalId: string): string {
  const digest = createHash('sha256').update(logicalId).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(-10);
}

function arn(place: Place, service: string, resource: string): string {
  const region = service === 'iam' ? '' : place.region; // IAM is global
  return `arn:aws:${service}:${region}:${place.account}:${resource}`;
}

const opaque: Identify = (logicalId) => ({ ref: opaqueId(logicalId), attributes: {} });

/** A resource whose `Ref` is its name and whose ARN ends with it. */
function named(nameProperty: string, service: string, prefix: string): Identify {
  return (logicalId, properties, place) => {
    const name = properties.optionalString(nameProperty) ?? `${place.stackName}-${logicalId}`;
    return { ref: name, attributes: { Arn: arn(place, service, `${prefix}${name}`) } };
  };
}

function functionArn(nameOrArn: string, place: Place): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : arn(place, 'lambda', `function:${nameOrArn}`);
}

/** Every resource type that something run locally may refer to. Another one is an error when it is referred to. */
const IDENTITIES: Readonly<Record<string, Identify>> = {
  'AWS::ApiGateway::RestApi': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { RootResourceId: opaqueId(`${logicalId}/`), RestApiId: opaqueId(logicalId) },
  }),
  'AWS::ApiGateway::Resource': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { ResourceId: opaqueId(logicalId) },
  }),
  'AWS::ApiGateway::Stage': (_logicalId, properties) => ({
    ref: properties.string('StageName'),
    attributes: {},
  }),
  'AWS::ApiGateway::ApiKey': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { APIKeyId: opaqueId(logicalId) },
  }),
  'AWS::ApiGateway::UsagePlan': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { Id: opaqueId(logicalId) },
  }),
  'AWS::ApiGateway::RequestValidator': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { RequestValidatorId: opaqueId(logicalId) },
  }),
  'AWS::ApiGateway::Deployment': opaque,
  'AWS::ApiGateway::Method': opaque,
  'AWS::Lambda::Function': named('FunctionName', 'lambda', 'function:'),
  'AWS::Lambda::Version': (_logicalId, properties, place) => ({
    ref: `${functionArn(properties.string('FunctionName'), place)}:1`,
    attributes: { Version: '1' },
  }),
  'AWS::Lambda::Alias': (_logicalId, properties, place) => ({
    ref: `${functionArn(properties.string('FunctionName'), place)}:${properties.string('Name')}`,
    attributes: {},
  }),
  'AWS::DynamoDB::Table': named('TableName', 'dynamodb', 'table/'),
  'AWS::DynamoDB::GlobalTable': named('TableName', 'dynamodb', 'table/'),
  'AWS::SecretsManager::Secret': (logicalId, properties, place) => {
    const name = properties.optionalString('Name') ?? `${place.stackName}-${logicalId}`;
    const secretArn = arn(place, 'secretsmanager', `secret:${name}-${opaqueId(logicalId).slice(0, 6)}`);
    return { ref: secretArn, attributes: { Id: secretArn } };
  },
  'AWS::SQS::Queue': (logicalId, properties, place) => {
    const name = properties.optionalString('QueueName') ?? `${place.stackName}-${logicalId}`;
    const url = `https://sqs.${place.region}.amazonaws.com/${place.account}/${name}`;
    return { ref: url, attributes: { Arn: arn(place, 'sqs', name), QueueName: name, QueueUrl: url } };
  },
  'AWS::SNS::Topic': (logicalId, properties, place) => {
    const name = properties.optionalString('TopicName') ?? `${place.stackName}-${logicalId}`;
    return {
      ref: arn(place, 'sns', name),
      attributes: { TopicName: name, TopicArn: arn(place, 'sns', name) },
    };
  },
  'AWS::S3::Bucket': (logicalId, properties, place) => {
    const name = properties.optionalString('BucketName') ?? `${place.stackName}-${logicalId}`.toLowerCase();
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        RegionalDomainName: `${name}.s3.${place.region}.amazonaws.com`,
      },
    };
  },
  'AWS::CloudFront::Distribution': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { Id: opaqueId(logicalId), DomainName: `${opaqueId(logicalId)}.cloudfront.net` },
  }),
  'AWS::CloudFront::Function': (logicalId) => ({
    ref: logicalId,
    attributes: { FunctionARN: `arn:aws:cloudfront::function/${logicalId}` },
  }),
  'AWS::CloudFront::OriginAccessControl': (logicalId) => ({
    ref: opaqueId(logicalId),
    attributes: { Id: opaqueId(logicalId) },
  }),
  'AWS::Scheduler::Schedule': named('Name', 'scheduler', 'schedule/default/'),
  'AWS::Logs::LogGroup': named('LogGroupName', 'logs', 'log-group:'),
  'AWS::IAM::Role': named('RoleName', 'iam', 'role/'),
};

/** Identity of a resource, or `undefined` where its type has none here. */
export function identityOf(
  type: string,
  logicalId: string,
  properties: Properties,
  place: Place,
): Identity | undefined {
  return IDENTITIES[type]?.(logicalId, properties, place);
}
