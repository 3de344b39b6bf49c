import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { REQUESTS_PER_MINUTE } from '../../lambda/core/contract/constants.ts';
import { ERRORS, type ErrorBody, PER_IP_REFUSAL, WEB_ACL_REQUEST_ID } from '../../lambda/core/contract/errors.ts';
import { COMMON_HEADERS, ERROR_HEADERS, RETRY_HEADERS } from '../../lambda/core/contract/headers.ts';
import { ROUTES } from '../../lambda/core/contract/route-table.ts';
import type { StageConfig } from '../config/stage-config.ts';

interface WebAclStackProps extends StackProps {
  readonly stage: StageConfig;
}

const BODY = 'RateLimited';
/** Per address and minute, on any path: several page views with their files, and preflights. */
const ANY_PATH_PER_MINUTE = 10 * REQUESTS_PER_MINUTE;

/**
 * Limits each client on the limited paths, and higher on all paths. WAF counts each IPv6 address separately and reacts
 * after up to 30 s, so the functions' exact limit stays in force.
 */
export class WebAclStack extends Stack {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, props: WebAclStackProps) {
    super(scope, id, props);
    const { name, region, production } = props.stage;
    // All web ACLs share one region's metrics.
    const visible = (rule: string) => visibility(`${rule}-${name}-${region}`);
    const action = respondWith429();
    // Outside production, the functions' exact limit responds first, with its own headers.
    const perClient = production ? REQUESTS_PER_MINUTE : 3 * REQUESTS_PER_MINUTE;
    const acl = new CfnWebACL(this, 'Acl', {
      description: `Rate limits of the Market Data Proxy, ${name}, ${region}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('market-data-proxy'),
      customResponseBodies: { [BODY]: { contentType: 'APPLICATION_JSON', content: refusalBody() } },
      rules: [
        {
          name: 'PerIpRate',
          priority: 0,
          statement: rate(perClient, {
            andStatement: { statements: [notPreflight(), limitedPath()] },
          }),
          action,
          visibilityConfig: visible('per-ip-rate'),
        },
        {
          name: 'AnyRate',
          priority: 1,
          statement: rate(ANY_PATH_PER_MINUTE),
          action,
          visibilityConfig: visible('any-rate'),
        },
      ],
    });
    this.webAclArn = acl.attrArn;
  }
}

function rate(limit: number, scopeDownStatement?: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty {
  return {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      limit,
      evaluationWindowSec: 60,
      ...(scopeDownStatement && { scopeDownStatement }),
    },
  };
}

function respondWith429(): CfnWebACL.RuleActionProperty {
  // WAF sets Content-Type itself.
  const { 'Content-Type': _, ...common } = COMMON_HEADERS;
  const headers = { ...common, ...ERROR_HEADERS, ...RETRY_HEADERS, 'X-Request-Id': WEB_ACL_REQUEST_ID };
  return {
    block: {
      customResponse: {
        responseCode: ERRORS.rate_limited.status,
        customResponseBodyKey: BODY,
        responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      },
    },
  };
}

function refusalBody(): string {
  const body: ErrorBody = { error: PER_IP_REFUSAL, code: 'rate_limited', requestId: WEB_ACL_REQUEST_ID };
  return JSON.stringify(body);
}

/** No samples: they show callers' addresses. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
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

/** The limited endpoints share their first two path segments. */
function limitedPath(): CfnWebACL.StatementProperty {
  const limited = Object.values(ROUTES).flatMap(({ limited, path }) => (limited ? [path] : []));
  const prefixes = new Set(limited.map((path) => path.split('/').slice(0, 3).join('/')));
  const statements = [...prefixes].map(
    (searchString): CfnWebACL.StatementProperty => ({
      byteMatchStatement: {
        fieldToMatch: { uriPath: {} },
        positionalConstraint: 'STARTS_WITH',
        searchString,
        textTransformations: [
          { priority: 0, type: 'URL_DECODE' },
          { priority: 1, type: 'NORMALIZE_PATH' },
        ],
      },
    }),
  );
  return { orStatement: { statements } };
}
