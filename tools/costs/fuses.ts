import {
  LARGE_BODIES_AT_ONCE_BYTES,
  LARGE_BODIES_BYTES_PER_SECOND,
  LARGE_BODY_BYTES,
  REQUESTS_PER_MINUTE,
} from '../../lambda/contract/constants.ts';
import { ROUTES, type Route } from '../../lambda/contract/routes.ts';
import { SAMPLED_ONE_IN } from '../../lambda/rate-limit/network-limit.ts';
import { TRACED_SHARE } from '../../lib/trace-sampling.ts';
import { type TemplateResource, templatesOf } from '../templates.ts';
import { deployedOf } from './deployed.ts';

/** What bounds the bill of a stage. */
export interface Fuses {
  /** Requests a second of all anonymous callers together. */
  readonly publicRate: number;
  /** Most of them at once. */
  readonly burst: number;
  readonly requestsPerDay: number;
  /** Preflights a second, over all paths. */
  readonly preflightRate: number;
  /** Requests a second of the routes that the per-IP limit does not count, over all of them. */
  readonly freeRate: number;
  readonly webAcl: boolean;
  /** Whether CloudFront runs a function for each request: it responds to preflights. */
  readonly edgeFunction: boolean;
  readonly tracedShare: number;
  /** Requests a minute that are served to all addresses of an IPv6 /48 together. */
  readonly networkRequestsPerMinute: number;
  /** Most bytes of a body that is not a large one, as it is sent to a caller who accepts no compression. */
  readonly bodyBytes: number;
  /** Most bytes of an hour in large bodies. */
  readonly largeBytes: number;
  /** Requests a second for the API document, the largest of the free bodies. */
  readonly documentRate: number;
}

/** Longest that a container is busy with a large body, in seconds: so many times the rate of requests are awake. */
const LARGE_BODY_SECONDS = 0.05;
const FEWEST_CONTAINERS = 2;

interface MethodSetting {
  readonly ResourcePath: string;
  readonly HttpMethod: string;
  readonly ThrottlingRateLimit: number;
}

/** The fuses of a stage, as its templates say. */
export function fusesOf(stage: string): Fuses {
  const all = templatesOf({ stage }).flatMap(({ resources }) => Object.values(resources));
  const ofType = (type: string) => all.filter(({ Type }) => Type === type);
  const plan = ofType('AWS::ApiGateway::UsagePlan').find(({ Properties }) =>
    /anonymous/.test(String(Properties?.Description)),
  )?.Properties as {
    readonly Throttle: { readonly RateLimit: number; readonly BurstLimit: number };
    readonly Quota: { readonly Limit: number };
    readonly ApiStages: readonly {
      readonly Throttle: Readonly<Record<string, { readonly RateLimit: number }>>;
    }[];
  };
  const publicRate = plan.Throttle.RateLimit;
  const settings = ofType('AWS::ApiGateway::Stage').flatMap(
    ({ Properties }) => (Properties?.MethodSettings ?? []) as MethodSetting[],
  );
  const preflights = ofType('AWS::ApiGateway::Method').filter(
    ({ Properties }) => Properties?.HttpMethod === 'OPTIONS',
  );
  const routes: readonly Route[] = Object.values(ROUTES);
  const preflightRate = routes.reduce((sum, { path }) => sum + rateOf(settings, path, 'OPTIONS'), 0);
  // By path and method, as `/openapi.json/GET`: those that the per-IP limit does not count.
  const free = plan.ApiStages[0]?.Throttle ?? {};
  const freeRate = Object.values(free).reduce((sum, { RateLimit }) => sum + RateLimit, 0);
  const { edgeFunction } = deployedOf(stage);
  return {
    publicRate,
    burst: plan.Throttle.BurstLimit,
    requestsPerDay: plan.Quota.Limit,
    // With a key none comes past the edge, which responds to preflights itself.
    preflightRate: !preflights.every(needsKey)
      ? preflightRate
      : edgeFunction
        ? 0
        : Math.min(publicRate, preflightRate),
    freeRate: Math.min(publicRate, freeRate),
    edgeFunction,
    webAcl: ofType('AWS::WAFv2::WebACL').length > 0,
    tracedShare: TRACED_SHARE,
    networkRequestsPerMinute: SAMPLED_ONE_IN * REQUESTS_PER_MINUTE,
    bodyBytes: LARGE_BODY_BYTES,
    largeBytes:
      Math.max(FEWEST_CONTAINERS, publicRate * LARGE_BODY_SECONDS) *
      (LARGE_BODIES_AT_ONCE_BYTES + 3_600 * LARGE_BODIES_BYTES_PER_SECOND),
    documentRate: free[`${ROUTES['get-openapi'].path}/GET`]?.RateLimit ?? publicRate,
  };
}

function needsKey({ Properties }: TemplateResource): boolean {
  return Properties?.ApiKeyRequired === true;
}

/** API Gateway counts each method of each path apart; what has no setting of its own has the stage's. */
function rateOf(settings: readonly MethodSetting[], path: string, method: string): number {
  const own = settings.find(
    ({ ResourcePath, HttpMethod }) =>
      ResourcePath === `/${path.replaceAll('/', '~1')}` && HttpMethod === method,
  );
  const stage = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === '/*' && HttpMethod === '*');
  return (own ?? stage)?.ThrottlingRateLimit ?? Number.POSITIVE_INFINITY;
}
