import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { ERRORS, type ErrorBody, PER_IP_REFUSAL } from '../../lambda/contract/errors.ts';
import { COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../../lambda/contract/headers.ts';
import { ROUTES } from '../../lambda/contract/routes.ts';

/** The request id of responses that WAF makes: it has none to give, and this tells who refused. */
const REQUEST_ID = 'waf';
const BODY = 'RateLimited';

/** Requests of one address to anything, in a minute: some pages with all that they load, and many preflights. */
const ANYTHING_PER_MINUTE = 10 * REQUESTS_PER_MINUTE;

/**
 * A web ACL for CloudFront with two rules: the per-IP limit, counted by WAF at the edge, and a higher one for every
 * request whatever its path and method, preflights and free endpoints included. It lags by up to half a minute and
 * keeps refusing while the flood lasts, so it only spares the service what its own exact counter would refuse.
 */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: { readonly stageName: string }) {
    super(scope, id);
    // Names of metrics are the account's: the ACLs of two stages must not share them.
    const visible = (metricName: string) => visibility(`${metricName}-${props.stageName}`);
    const acl = new CfnWebACL(this, 'Acl', {
      description: 'Per-IP rate of the Market Data Proxy',
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('market-data-proxy'),
      customResponseBodies: { [BODY]: { contentType: 'APPLICATION_JSON', content: refusalBody() } },
      rules: [
        {
          name: 'PerIpRate',
          priority: 0,
          statement: rateOf(REQUESTS_PER_MINUTE, {
            andStatement: { statements: [notPreflight(), toCountedPath()] },
          }),
          action: refusal(),
          visibilityConfig: visible('per-ip-rate'),
        },
        {
          name: 'AnyRate',
          priority: 1,
          statement: rateOf(ANYTHING_PER_MINUTE),
          action: refusal(),
          visibilityConfig: visible('any-rate'),
        },
      ],
    });
    this.arn = acl.attrArn;
  }
}

function rateOf(
  limit: number,
  scopeDownStatement?: CfnWebACL.StatementProperty,
): CfnWebACL.StatementProperty {
  return {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit,
      evaluationWindowSec: 60,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  };
}

function refusal(): CfnWebACL.RuleActionProperty {
  return {
    block: {
      customResponse: {
        responseCode: ERRORS.rate_limited.status,
        customResponseBodyKey: BODY,
        responseHeaders: refusalHeaders(),
      },
    },
  };
}

/** Counts, but no samples: those would show callers' addresses in the console. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

function refusalBody(): string {
  const body: ErrorBody = { error: PER_IP_REFUSAL, code: 'rate_limited', requestId: REQUEST_ID };
  return JSON.stringify(body);
}

/** WAF sets Content-Type by the kind of the body and takes no other. */
function refusalHeaders(): CfnWebACL.CustomHTTPHeaderProperty[] {
  const { 'Content-Type': _byBody, ...common } = COMMON_HEADERS;
  const headers = { ...common, ...ERROR_HEADERS, ...RETRY_HEADERS, 'X-Request-Id': REQUEST_ID };
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function notPreflight(): CfnWebACL.StatementProperty {
  const preflight: CfnWebACL.StatementProperty = {
    byteMatchStatement: {
      fieldToMatch: { method: {} },
      positionalConstraint: 'EXACTLY',
      searchString: 'OPTIONS',
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
  return { notStatement: { statement: preflight } };
}

/**
 * The endpoints that the limit counts, however their path is spelt. WAF takes an expression of 512 characters at most, so
 * that it names what they have in common: everything below the second segment of their paths.
 */
function toCountedPath(): CfnWebACL.StatementProperty {
  const counted = Object.values(ROUTES).flatMap(({ counted, path }) => (counted ? [path] : []));
  const roots = [...new Set(counted.map((path) => path.split('/').slice(0, 3).join('/')))];
  return {
    regexMatchStatement: {
      fieldToMatch: { uriPath: {} },
      regexString: `^(${roots.join('|')})(/.*)?$`,
      textTransformations: [
        { priority: 0, type: 'URL_DECODE' },
        { priority: 1, type: 'NORMALIZE_PATH' },
      ],
    },
  };
}
