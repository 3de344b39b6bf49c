import { fileURLToPath } from 'node:url';
import {
  AssetHashType,
  Aws,
  type BundlingOptions,
  DockerImage,
  Duration,
  RemovalPolicy,
  Stack,
  Token,
} from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { buildPage } from '../../packages/market-page/build.ts';
import { ASSETS, CONTENT_SECURITY_POLICY, PAGES } from '../../packages/market-page/site.ts';
import { acknowledge } from '../nag/acknowledge.ts';

/** Browsers ask again after this long whether there is a newer page; a 304 then. */
const KEPT_FOR = Duration.minutes(5);
/** What the CDK calls its function that fills buckets. */
const PROVIDER = 'Custom::CDKBucketDeployment';
const SOURCE = fileURLToPath(new URL('../../packages/market-page/src', import.meta.url));

/** Built here, on the machine that synthesises: the image is never asked for. */
const BUNDLING: BundlingOptions = {
  image: DockerImage.fromRegistry('scratch'),
  local: {
    tryBundle(folder) {
      buildPage(folder);
      return true;
    },
  },
};

/**
 * The web page: a private bucket that only the distribution reads, filled by the deployment and emptied when the
 * stack goes.
 */
export class MarketPage extends Construct {
  /** What the distribution serves from the bucket, by path. */
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;
  /** By the Content-Security-Policy that they tell. */
  readonly #policies = new Map<string, ResponseHeadersPolicy>();

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(bucket, {
      'AwsSolutions-S1': 'The bucket holds this repository’s own page; only the distribution reads it.',
    });
    // The library declares its own class and interface apart under exact optional properties.
    const files = bucket as IBucket;
    const logGroup = new LogGroup(this, 'DeploymentLogs', {
      retention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const deployment = new BucketDeployment(this, 'Deployment', {
      sources: [Source.asset(SOURCE, { assetHashType: AssetHashType.OUTPUT, bundling: BUNDLING })],
      destinationBucket: files,
      cacheControl: [CacheControl.maxAge(KEPT_FOR)],
      // With the stack the files go too, so that the bucket can be deleted.
      retainOnDelete: false,
      memoryLimit: 256,
      logGroup,
    });
    deployment.node.addDependency(logGroup);
    this.#acknowledgeProvider(bucket);
    const behavior: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(files),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: true,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    };
    const pages = { eventType: FunctionEventType.VIEWER_REQUEST, function: this.#pageNames() };
    this.behaviors = {
      ...Object.fromEntries(
        Object.entries(PAGES).map(([path, { contentSecurityPolicy }]) => [
          path,
          {
            ...behavior,
            functionAssociations: [pages],
            responseHeadersPolicy: this.#responseHeaders(contentSecurityPolicy),
          },
        ]),
      ),
      [ASSETS]: { ...behavior, responseHeadersPolicy: this.#responseHeaders(CONTENT_SECURITY_POLICY) },
    };
  }

  /** The CDK's own function that copies the files, one for the whole stack. */
  #acknowledgeProvider(bucket: Bucket): void {
    const stack = Stack.of(this);
    const provider = stack.node.children.find(({ node }) => node.id.startsWith(PROVIDER));
    if (!provider) throw new Error(`The stack has no ${PROVIDER}`);
    const files = stack.getLogicalId(bucket.node.defaultChild as CfnBucket);
    const copies =
      'It copies the page from the assets of the bootstrap into the bucket, and takes it away again.';
    // A stage that is pinned to a region names it, and its partition, where others leave them open.
    const pinned = !Token.isUnresolved(stack.region);
    const [partition, region] = pinned ? ['aws', stack.region] : ['<AWS::Partition>', '<AWS::Region>'];
    const qualifier = stack.synthesizer.bootstrapQualifier;
    const wildcards = [
      ...['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map(
        (action) => `Action::s3:${action}`,
      ),
      `Resource::arn:${partition}:s3:::cdk-${qualifier}-assets-<AWS::AccountId>-${region}/*`,
      `Resource::<${files}.Arn>/*`,
    ];
    const own = "The CDK's own function; it runs while a deployment does, which tells of its failures.";
    acknowledge(provider, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
        own,
      ...Object.fromEntries(wildcards.map((wildcard) => [`AwsSolutions-IAM5[${wildcard}]`, copies])),
      'AwsSolutions-L1': own,
      'Serverless-LambdaDLQ': own,
      'Serverless-LambdaLatestVersion': own,
      'Serverless-LambdaTracing': own,
    });
  }

  /** Which file a path without a file's name shows. */
  #pageNames(): EdgeFunction {
    const files = Object.fromEntries(Object.entries(PAGES).map(([path, { file }]) => [path, file]));
    return new EdgeFunction(this, 'PageNames', {
      runtime: FunctionRuntime.JS_2_0,
      comment: 'The file that a path shows',
      code: FunctionCode.fromInline(
        `var pages = ${JSON.stringify(files)};\n` +
          'function handler(event) {\n' +
          '  var request = event.request;\n' +
          '  request.uri = pages[request.uri] || request.uri;\n' +
          '  return request;\n' +
          '}\n',
      ),
    });
  }

  /** One policy for all that is shown under the same rules. */
  #responseHeaders(contentSecurityPolicy: string): ResponseHeadersPolicy {
    const known = this.#policies.get(contentSecurityPolicy);
    if (known) return known;
    const id = this.#policies.size === 0 ? 'ResponseHeaders' : `ResponseHeaders${this.#policies.size + 1}`;
    const name = this.#policies.size === 0 ? 'page' : `page-${this.#policies.size + 1}`;
    const made = new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: `${Stack.of(this).stackName}-${name}-${Aws.REGION}`,
      comment: 'What browsers may do with the page',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        strictTransportSecurity: {
          accessControlMaxAge: Duration.days(365),
          includeSubdomains: false,
          override: true,
        },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
    });
    this.#policies.set(contentSecurityPolicy, made);
    return made;
  }
}
