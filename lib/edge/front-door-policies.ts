import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { FRESH_SECONDS } from '../../lambda/contract/constants.ts';
import { MCP_HEADERS } from '../../lambda/contract/headers.ts';
import type { Stage } from '../config/stages.ts';

export interface FrontDoorPoliciesProps {
  readonly stage: Stage;
}

/** Browsers come back over HTTPS for this long. */
const HTTPS_FOR = Duration.days(365);

/**
 * What CloudFront passes on, keeps and adds. Every query parameter goes along and, where responses are kept, tells them
 * apart.
 */
export class FrontDoorPolicies extends Construct {
  /** What reaches the API. */
  readonly originRequest: OriginRequestPolicy;
  /** What reaches the tools for agents: the headers that their protocol reads, besides. */
  readonly agentRequest: OriginRequestPolicy;
  /** For what the API responds: kept where the stage has it so, as long as the origin's Cache-Control says. */
  readonly cache: CachePolicy;
  readonly responseHeaders: ResponseHeadersPolicy;

  constructor(scope: Construct, id: string, props: FrontDoorPoliciesProps) {
    super(scope, id);
    this.originRequest = new OriginRequestPolicy(this, 'OriginRequest', {
      originRequestPolicyName: this.#uniqueName('origin-request'),
      comment: 'The address of the viewer',
      // Host stays out: API Gateway must see its own. If-None-Match and If-Modified-Since go along by themselves, and so
      // does whatever the cache key holds: the query parameters, and the encodings in CloudFront's own spelling.
      headerBehavior: OriginRequestHeaderBehavior.allowList('CloudFront-Viewer-Address'),
    });
    this.agentRequest = new OriginRequestPolicy(this, 'AgentRequest', {
      originRequestPolicyName: this.#uniqueName('agent-request'),
      comment: 'The address of the viewer, and what the Model Context Protocol reads',
      headerBehavior: OriginRequestHeaderBehavior.allowList('CloudFront-Viewer-Address', ...MCP_HEADERS),
    });
    this.cache = new CachePolicy(this, 'Cache', {
      cachePolicyName: this.#uniqueName('cache'),
      comment: props.stage.edgeCache ? 'As long as the origin says' : 'Not at all',
      // Nothing is kept that the origin does not say should be; each encoding is kept apart.
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      enableAcceptEncodingGzip: true,
      enableAcceptEncodingBrotli: true,
      // CloudFront's own policy without a cache would not let the caller's Accept-Encoding through, so nothing would be
      // compressed. A second is the least that a policy with it may say, and the origin's s-maxage=0 says none.
      maxTtl: Duration.seconds(props.stage.edgeCache ? FRESH_SECONDS : 1),
      // All of them: a list may have ten, and the routes have more. Accept chooses between JSON and CSV.
      queryStringBehavior: CacheQueryStringBehavior.all(),
      headerBehavior: CacheHeaderBehavior.allowList('Accept'),
    });
    this.responseHeaders = new ResponseHeadersPolicy(this, 'ResponseHeaders', {
      responseHeadersPolicyName: this.#uniqueName('response-headers'),
      comment: 'Security headers; CORS is left to the origin',
      securityHeadersBehavior: {
        strictTransportSecurity: { accessControlMaxAge: HTTPS_FOR, includeSubdomains: false, override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      },
      // A response that CloudFront kept would tell one caller how much another has left.
      ...(props.stage.edgeCache ? { removeHeaders: ['RateLimit'] } : {}),
    });
  }

  /** Policies must have names, which are unique in an account over all its regions. */
  #uniqueName(role: string): string {
    return `${Stack.of(this).stackName}-${role}-${Aws.REGION}`;
  }
}
