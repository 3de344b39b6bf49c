import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  type AddBehaviorOptions,
  AllowedMethods,
  Distribution,
  type DistributionProps,
  HttpVersion,
  PriceClass,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { ROUTES } from '../../lambda/contract/routes.ts';
import type { AccessPlans } from '../api/access-plans.ts';
import type { PublicKey } from '../api/public-key.ts';
import type { Stage } from '../config/stages.ts';
import { acknowledge } from '../nag/acknowledge.ts';
import { FrontDoorPolicies } from './front-door-policies.ts';
import { MarketPage } from './market-page.ts';
import { preflightAtEdge } from './preflight.ts';

export interface FrontDoorProps {
  readonly stage: Stage;
  readonly api: RestApi;
  /** Sent with every request, in place of any key of the viewer. */
  readonly publicKey: PublicKey;
  /** Must know the key before it is sent. */
  readonly plans: AccessPlans;
  /** A web ACL of scope CLOUDFRONT. @default none */
  readonly webAclArn?: string | undefined;
}

/** How long CloudFront keeps an idle connection to the API: spares most requests a TLS handshake. */
const KEEP_ALIVE = Duration.seconds(60);

/** The error statuses of an origin that CloudFront can be told not to keep. */
const ERROR_STATUSES = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * The one way in: a distribution that adds the public key, so that anonymous callers need none and API Gateway refuses
 * whoever goes around. It responds to nothing by itself but preflights: every other method and unknown path goes there.
 */
export class FrontDoor extends Construct {
  readonly distribution: Distribution;
  /** Without a slash at the end. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: FrontDoorProps) {
    super(scope, id);
    const { stage, api, publicKey, plans, webAclArn } = props;
    const policies = new FrontDoorPolicies(this, 'Policies', { stage });
    const origin = new RestApiOrigin(api, {
      customHeaders: { 'x-api-key': publicKey.value },
      keepaliveTimeout: KEEP_ALIVE,
    });
    const behavior: AddBehaviorOptions = {
      // A redirect rather than a refusal, so that a typed address works; with 307 a POST stays a POST.
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      compress: true,
      originRequestPolicy: policies.originRequest,
      responseHeadersPolicy: policies.responseHeaders,
      functionAssociations: [preflightAtEdge(this, 'Preflight')],
    };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Market Data Proxy (${stage.name})`,
      defaultBehavior: { origin, ...behavior, cachePolicy: policies.cache },
      additionalBehaviors: {
        ...(stage.page && new MarketPage(this, 'Page').behaviors),
        [ROUTES.mcp.path]: {
          origin,
          ...behavior,
          cachePolicy: policies.cache,
          originRequestPolicy: policies.agentRequest,
        },
      },
      // For 5xx CloudFront does not heed no-store: it would keep them for 10 s. No page is given for any status, since
      // it would replace our JSON too: what CloudFront itself says when it cannot reach the API stays its own HTML.
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass[stage.priceClass],
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      ...this.#customDomain(stage),
    });
    this.distribution.node.addDependency(plans);
    acknowledge(this.distribution, {
      'AwsSolutions-CFR1': 'The data is public everywhere.',
      'AwsSolutions-CFR3': "Access logs would hold callers' addresses; the metrics tell what is needed.",
      ...(stage.domainName === undefined
        ? {
            'AwsSolutions-CFR4':
              "With CloudFront's own name its certificate and TLS versions are AWS's choice.",
          }
        : {}),
      ...(webAclArn === undefined
        ? { 'AwsSolutions-CFR2': 'A web ACL costs money when idle: a stage says whether it has one.' }
        : {}),
    });
    this.url = `https://${stage.domainName ?? this.distribution.distributionDomainName}`;
  }

  /**
   * A name of the deployer's own, with TLS 1.2 at least. On CloudFront's own name the oldest TLS version that viewers
   * may use is AWS's choice. The DNS record is the deployer's too.
   */
  #customDomain({ domainName, certificateArn }: Stage): Partial<DistributionProps> {
    if (domainName === undefined || certificateArn === undefined) return {};
    return {
      domainNames: [domainName],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}
