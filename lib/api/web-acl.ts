/**
 * The AWS WAF rule that blocks addresses with far too many requests, for stages with
 * `webAcl=true`.
 */
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { REQUESTS_PER_MINUTE } from '../../lambda/core/contract/constants.ts';
import { ERRORS, PER_IP_REFUSAL, WEB_ACL_REQUEST_ID } from '../../lambda/core/contract/errors.ts';
import {
  COMMON_HEADERS,
  EDGE_HEADERS,
  ERROR_HEADERS,
  RETRY_HEADERS,
} from '../../lambda/core/contract/headers.ts';

/**
 * The rule's limit: twice the limit of the functions, so the rule only stops clients that ignore
 * 429. AWS WAF "will apply rate limiting near the limit that you set, but does not guarantee an
 * exact limit match".
 */
const REQUESTS_PER_WINDOW = 2 * REQUESTS_PER_MINUTE;
const WINDOW_SECONDS = 60;
const BODY_KEY = 'RateLimited';

/** What CloudWatch shows of a rule. Metrics are free. Samples would show callers' addresses. */
const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

/**
 * Blocks an address before its requests use up the rate that all anonymous callers share. The rule
 * counts requests by two headers that CloudFront sets: the viewer's network and the public key. So
 * a caller who bypasses CloudFront and forges the network, but does not know the key, fills a count
 * of his own. WAF ignores requests that lack one of the headers, such as those of partners
 * (docs/adr/0017-web-acl.md).
 */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, api: RestApi) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      description: 'Stops addresses that ignore the limit',
      customResponseBodies: {
        [BODY_KEY]: { contentType: 'APPLICATION_JSON', content: refusalBody() },
      },
      rules: [
        {
          name: 'PerAddress',
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'CUSTOM_KEYS',
              customKeys: [EDGE_HEADERS.viewerNetwork, 'x-api-key'].map((name) => ({
                header: { name, textTransformations: [{ priority: 0, type: 'NONE' }] },
              })),
              evaluationWindowSec: WINDOW_SECONDS,
              limit: REQUESTS_PER_WINDOW,
            },
          },
          action: { block: { customResponse: refusal() } },
          visibilityConfig: visible('per-address'),
        },
      ],
      visibilityConfig: visible('web-acl'),
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}

/** The body of every refusal, in the form of the functions' errors. */
function refusalBody(): string {
  const error = { error: PER_IP_REFUSAL, code: 'rate_limited', requestId: WEB_ACL_REQUEST_ID };
  return JSON.stringify(error);
}

/**
 * The response to a refused request. WAF sets `Content-Type` itself: "You can specify any header
 * name except for content-type."
 */
function refusal() {
  const { 'Content-Type': _, ...common } = COMMON_HEADERS;
  const headers = {
    ...common,
    ...ERROR_HEADERS,
    ...RETRY_HEADERS,
    'X-Request-Id': WEB_ACL_REQUEST_ID,
  };
  return {
    responseCode: ERRORS.rate_limited.status,
    customResponseBodyKey: BODY_KEY,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}
