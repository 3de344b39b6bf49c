/** The CloudFront distribution: the public address of the API and of the page. */
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
  readonly publicKey: PublicKey;
  readonly plans: AccessPlans;
}

/** The error statuses whose caching time CloudFront lets us set. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * CloudFront in front of the API. It replaces any key of the viewer by the public key. It caches
 * the page's files, but no response of the API.
 *
 * All policies are AWS-managed, because CloudFront's smaller flat-rate plans allow no others.
 */
export class EdgeDistribution extends Construct {
  readonly distribution: Distribution;
  /** The address for callers: the stage's domain, otherwise CloudFront's own name. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    { stage, api, publicKey, plans }: EdgeDistributionProps,
  ) {
    super(scope, id);
    const behavior: BehaviorOptions = {
      origin: new RestApiOrigin(api, {
        customHeaders: { 'x-api-key': publicKey.value },
        // Most requests need no TLS handshake.
        keepaliveTimeout: Duration.seconds(60),
      }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // Forwards the headers of the viewer function, which the API needs on the page's paths too.
      // It also forwards query and cookies. The cache ignores both, because no page depends on
      // them.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      functionAssociations: [
        {
          eventType: FunctionEventType.VIEWER_REQUEST,
          function: createViewerFunction(this, 'Viewer'),
        },
      ],
    };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Market Data Proxy (${stage.name})`,
      defaultBehavior: { ...behavior, cachePolicy: CachePolicy.CACHING_DISABLED },
      // The key of the cache is the path alone, so all viewers share one response.
      additionalBehaviors: Object.fromEntries(
        cachedPaths().map((path) => [
          path,
          { ...behavior, cachePolicy: CachePolicy.CACHING_OPTIMIZED },
        ]),
      ),
      // By default, CloudFront would cache the errors of the page's paths for 10 s. Those of other
      // paths are never cached, because of CACHING_DISABLED.
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({
        httpStatus,
        ttl: Duration.seconds(0),
      })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: stage.production ? PriceClass.PRICE_CLASS_ALL : PriceClass.PRICE_CLASS_100,
      ...(typeof stage.webAcl === 'string' && { webAclId: stage.webAcl }),
      ...this.#customDomain(stage),
    });
    // The plans need the key before CloudFront sends it.
    this.distribution.node.addDependency(plans);
    acknowledge(this.distribution, {
      'AwsSolutions-CFR1': 'The data is public in every country.',
      'AwsSolutions-CFR2': 'A web ACL costs money when idle, so the deployer chooses one (webAcl).',
      'AwsSolutions-CFR3': "Access logs would hold callers' addresses; the metrics are enough.",
      'AwsSolutions-CFR4': "AWS chooses the TLS versions of CloudFront's own domain name.",
    });
    this.url = `https://${stage.domainName ?? this.distribution.distributionDomainName}`;
  }

  /** The domain and its certificate, if the stage has its own domain. */
  #customDomain({ domainName, certificateArn }: StageConfig): Partial<DistributionProps> {
    if (domainName === undefined || certificateArn === undefined) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}

/**
 * The page's paths, as patterns of CloudFront: `/market/*` for `/market/{slug}`. `/` uses the
 * default behaviour, because a flat-rate plan has at most five behaviours.
 */
function cachedPaths(): readonly string[] {
  const pages = Object.values<Route>(ROUTES).filter(isPageRoute);
  const paths = pages.map(({ path }) => path).filter((path) => path !== '/');
  return paths.map((path) => path.replace(/\{\w+\}/, '*'));
}
