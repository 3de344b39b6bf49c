import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  FunctionEventType,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { ROUTES, type Route } from '../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../lambda/core/contract/route-type.ts';
import { acknowledge } from '../acknowledge.ts';
import type { AccessPlans } from '../api/access-plans.ts';
import type { PublicKey } from '../api/public-keys.ts';
import type { StageConfig } from '../config/stage-config.ts';
import { createViewerFunction } from './viewer-function.ts';

interface EdgeDistributionProps {
  readonly stage: StageConfig;
  readonly api: RestApi;
  /** Sent with every request. It replaces any key that the viewer sends. */
  readonly publicKey: PublicKey;
  /** The plans must have the key before CloudFront sends it. */
  readonly plans: AccessPlans;
  /** A web ACL of scope CLOUDFRONT. @default none */
  readonly webAclArn?: string | undefined;
}

/** The region of CloudFront's web ACLs and metrics. */
export const EDGE_REGION = 'us-east-1';

/** How long CloudFront keeps an idle connection to the API: most requests then need no TLS handshake. */
const KEEP_ALIVE = Duration.seconds(60);

/**
 * The paths of the page as patterns of CloudFront. `/` has none: a flat-rate plan has at most five behaviours, and the
 * default behaviour serves it.
 */
function cachedPaths(): readonly string[] {
  const paths = Object.values<Route>(ROUTES)
    .filter(isPageRoute)
    .map(({ path }) => path);
  return paths.filter((path) => path !== '/').map((path) => path.replace(/\{\w+\}/, '*'));
}

/** The error statuses for which CloudFront's own time of keeping a response can be set. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * The front door: a distribution that sends the public key, so that anonymous callers need none. It stores the files of
 * the page as long as their `Cache-Control` says, and no response of the API. All its policies are AWS-managed, because
 * CloudFront's smaller flat-rate plans allow no others. API Gateway compresses the responses.
 */
export class EdgeDistribution extends Construct {
  readonly distribution: Distribution;
  /** Without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, { stage, api, publicKey, plans, webAclArn }: EdgeDistributionProps) {
    super(scope, id);
    const behavior: BehaviorOptions = {
      origin: new RestApiOrigin(api, {
        customHeaders: { 'x-api-key': publicKey.value },
        keepaliveTimeout: KEEP_ALIVE,
      }),
      // A redirect, so that a typed address works.
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      functionAssociations: [
        { eventType: FunctionEventType.VIEWER_REQUEST, function: createViewerFunction(this, 'Viewer') },
      ],
    };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Market Data Proxy (${stage.name})`,
      defaultBehavior: {
        ...behavior,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      },
      // Without an origin request policy the page gets no query, cookie or address: all viewers share one response.
      additionalBehaviors: Object.fromEntries(
        cachedPaths().map((path) => [path, { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED }]),
      ),
      // By default CloudFront keeps errors for 10 s.
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: stage.production ? PriceClass.PRICE_CLASS_ALL : PriceClass.PRICE_CLASS_100,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      ...this.#customDomain(stage),
    });
    this.distribution.node.addDependency(plans);
    acknowledge(this.distribution, {
      'AwsSolutions-CFR1': 'The data is public in every country.',
      'AwsSolutions-CFR2': 'A web ACL costs money when idle, so it is a setting of the stage.',
      'AwsSolutions-CFR3': "Access logs would hold callers' addresses; the metrics are enough.",
      'AwsSolutions-CFR4': "AWS chooses the TLS versions of CloudFront's own domain name.",
    });
    this.url = `https://${stage.domainName ?? this.distribution.distributionDomainName}`;
  }

  /** A domain of the deployer, with TLS 1.2 or newer. The DNS record is the deployer's as well. */
  #customDomain({ domainName, certificateArn }: StageConfig): Partial<DistributionProps> {
    if (domainName === undefined || certificateArn === undefined) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}
