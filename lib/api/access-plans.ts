/**
 * The rates at which callers may use the API. API Gateway limits requests by usage plan, and a
 * request's API key decides its plan.
 */
import { CfnUsagePlanKey, Period, UsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Rate, StageConfig } from '../config/stage-config.ts';
import type { PublicKeys } from './public-keys.ts';
import type { ReadApi } from './read-api.ts';

interface AccessPlansProps {
  readonly stage: StageConfig;
  readonly api: ReadApi;
  readonly publicKeys: PublicKeys;
}

/**
 * The usage plans: all anonymous callers together share the rate of the public plan. Each partner,
 * who has an own key, gets the rate of the partner plan.
 */
export class AccessPlans extends Construct {
  readonly partnerPlanId: string;

  constructor(scope: Construct, id: string, { stage, api, publicKeys }: AccessPlansProps) {
    super(scope, id);
    const { deploymentStage } = api.restApi;
    const apiStage = { api: deploymentStage.restApi, stage: deploymentStage };
    const publicPlan = new UsagePlan(this, 'Public', {
      description: 'All anonymous callers together',
      throttle: throttle(stage.publicPlan),
      apiStages: [apiStage],
    });
    for (const [name, { apiKey }] of publicKeys.byName) {
      new CfnUsagePlanKey(this, `PublicKey${name}`, {
        keyId: apiKey.keyId,
        keyType: 'API_KEY',
        usagePlanId: publicPlan.usagePlanId,
      });
    }
    const partnerPlan = new UsagePlan(this, 'Partner', {
      description: 'Each partner with an API key',
      throttle: throttle(stage.partnerPlan),
      quota: { limit: stage.partnerRequestsPerMonth, period: Period.MONTH },
      apiStages: [apiStage],
    });
    this.partnerPlanId = partnerPlan.usagePlanId;
  }
}

/** A rate in the form of a usage plan. */
function throttle({ ratePerSecond, burst }: Rate) {
  return { rateLimit: ratePerSecond, burstLimit: burst };
}
