import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { AccessPlans } from './access-plans.ts';
import { ReadApi } from './read-api.ts';
import { ReadFunctions } from './read-functions.ts';
import { Refresher } from './refresher.ts';
import { SnapshotStore } from './snapshot-store.ts';
import type { Stage } from './stages.ts';

export interface MarketDataProxyStackProps extends StackProps {
  readonly stage: Stage;
}

/** The whole service; every part is a construct of its own. */
export class MarketDataProxyStack extends Stack {
  constructor(scope: Construct, id: string, props: MarketDataProxyStackProps) {
    super(scope, id, props);
    const { stage } = props;
    const logRetention: RetentionDays = stage.logRetentionDays;

    const snapshots = new SnapshotStore(this, 'Snapshots');
    new Refresher(this, 'Refresher', { stage, snapshots, logRetention });
    const { byRoute } = new ReadFunctions(this, 'Read', { stage, snapshots, logRetention });
    const { api } = new ReadApi(this, 'ReadApi', { stage, functions: byRoute });
    const plans = new AccessPlans(this, 'Plans', { stage, api });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'The API itself; callers need a key' });
    new CfnOutput(this, 'PublicApiKeyId', {
      value: plans.publicKey.keyId,
      description: 'The key that the front door sends',
    });
  }
}
