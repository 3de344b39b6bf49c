import {
  CfnUsagePlanKey,
  type Method,
  Period,
  type RestApi,
  type ThrottleSettings,
  UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Rate, Stage } from '../config/stages.ts';
import type { PublicKeys } from './public-key.ts';

/** What all methods of the free endpoints together (GET, HEAD and any other of each) may take of a plan. */
const FREE_SHARE = 0.6;

export interface AccessPlansProps {
  readonly stage: Stage;
  readonly api: RestApi;
  /** Endpoints that the per-IP limit does not count: one address may call them as fast as it likes. */
  readonly freeMethods: readonly Method[];
  /** Of all anonymous callers. */
  readonly publicKeys: PublicKeys;
}

/**
 * Who may call how much: the public plan bounds all anonymous callers together, the partner plan each caller with a
 * key of its own. API Gateway keeps both on a best-effort basis, so they are a fuse and no account of requests.
 */
export class AccessPlans extends Construct {
  /** Without any key: the operator makes one for each partner. */
  readonly partnerPlanId: string;

  constructor(scope: Construct, id: string, props: AccessPlansProps) {
    super(scope, id);
    const { api, freeMethods, publicKeys } = props;
    const { publicPlan, partnerPlan } = props.stage;
    const apiStages = [{ api: api.deploymentStage.restApi, stage: api.deploymentStage }];
    const everyone = new UsagePlan(this, 'Public', {
      description: 'All anonymous callers together',
      throttle: throttleOf(publicPlan),
      quota: { limit: publicPlan.requestsPerDay, period: Period.DAY },
      apiStages: apiStages.map((apiStage) => ({
        ...apiStage,
        throttle: freeMethods.map((method) => ({
          method,
          throttle: throttleOf(shareOf(publicPlan, FREE_SHARE / freeMethods.length)),
        })),
      })),
    });
    for (const [name, { apiKey }] of publicKeys.byName) {
      // Not by `addApiKey`, whose first link has an id without a key's name: a second key would take it over one day.
      new CfnUsagePlanKey(this, `PublicKey${name}`, {
        keyId: apiKey.keyId,
        keyType: 'API_KEY',
        usagePlanId: everyone.usagePlanId,
      });
    }
    const partners = new UsagePlan(this, 'Partner', {
      description: 'Each partner with a key of its own',
      throttle: throttleOf(partnerPlan),
      quota: { limit: partnerPlan.requestsPerMonth, period: Period.MONTH },
      apiStages,
    });
    this.partnerPlanId = partners.usagePlanId;
  }
}

/** What each free method may take of a plan: not even all of them together use it up. */
function shareOf({ ratePerSecond, burst }: Rate, share: number): Rate {
  return {
    ratePerSecond: Math.max(1, Math.floor(ratePerSecond * share)),
    burst: Math.max(1, Math.floor(burst * share)),
  };
}

function throttleOf({ ratePerSecond, burst }: Rate): ThrottleSettings {
  return { rateLimit: ratePerSecond, burstLimit: burst };
}
