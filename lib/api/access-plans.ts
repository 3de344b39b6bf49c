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

/** The usage plans: one that all anonymous callers share, and one for each partner with a key. */
export class AccessPlans extends Construct {
  readonly partnerPlanId: string;

  constructor(scope: Construct, id: string, { stage, api, publicKeys }: AccessPlansProps) {
    super(scope, id);
    const { deploymentStage } = api.api;
    const apiStage = { api: deploymentStage.restApi, stage: deploymentStage };
    const everyone = new UsagePlan(this, 'Public', {
      description: 'All anonymous callers together',
      throttle: throttle(stage.publicPlan),
      apiStages: [apiStage],
    });
    for (const [name, { apiKey }] of publicKeys.byName) {
      new CfnUsagePlanKey(this, `PublicKey${name}`, {
        keyId: apiKey.keyId,
        keyType: 'API_KEY',
        usagePlanId: everyone.usagePlanId,
      });
    }
    const partners = new UsagePlan(this, 'Partner', {
      description: 'Each partner with an API key',
      throttle: throttle(stage.partnerPlan),
      quota: { limit: stage.partnerRequestsPerMonth, period: Period.MONTH },
      apiStages: [apiStage],
    });
    this.partnerPlanId = partners.usagePlanId;
  }
}

/** A rate in API Gateway's words. */
function throttle({ ratePerSecond, burst }: Rate) {
  return { rateLimit: ratePerSecond, burstLimit: burst };
}
