import { ApiKey, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Stage } from './stages.ts';

export interface AccessPlansProps {
  readonly stage: Stage;
  readonly api: RestApi;
}

/** Who may call how much: the public plan bounds all anonymous callers together. */
export class AccessPlans extends Construct {
  readonly publicKey: ApiKey;

  constructor(scope: Construct, id: string, props: AccessPlansProps) {
    super(scope, id);
    const { stage, api } = props;
    this.publicKey = new ApiKey(this, 'PublicKey', {
      description: 'Sent by the front door for anonymous callers',
    });
    const plan = api.addUsagePlan('PublicPlan', {
      description: 'All anonymous callers together',
      throttle: { rateLimit: stage.publicPlan.ratePerSecond, burstLimit: stage.publicPlan.burst },
      apiStages: [{ api, stage: api.deploymentStage }],
    });
    plan.addApiKey(this.publicKey);
  }
}
