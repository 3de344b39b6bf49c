import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AccessPlans } from './api/access-plans.ts';
import { PublicKeys } from './api/public-key.ts';
import { ReadApi } from './api/read-api.ts';
import { ReadFunctions } from './api/read-functions.ts';
import type { Stage } from './config/stages.ts';
import { RateLimitStore } from './data/rate-limit-store.ts';
import { Refresher } from './data/refresher.ts';
import { SnapshotStore } from './data/snapshot-store.ts';
import { FrontDoor } from './edge/front-door.ts';
import { Monitoring } from './monitoring/monitoring.ts';

export interface MarketDataProxyStackProps extends StackProps {
  readonly stage: Stage;
  /** Web ACL of the edge, where the stage has an edge. @default none */
  readonly webAclArn?: string | undefined;
}

/** The whole service; every part is a construct of its own. */
export class MarketDataProxyStack extends Stack {
  constructor(scope: Construct, id: string, props: MarketDataProxyStackProps) {
    super(scope, id, props);
    const { stage, webAclArn } = props;

    const snapshots = new SnapshotStore(this, 'Snapshots');
    const refresher = new Refresher(this, 'Refresher', { stage, snapshots });
    const rateLimits = new RateLimitStore(this, 'RateLimits');
    const publicKeys = new PublicKeys(this, stage);
    const { byName } = new ReadFunctions(this, 'Read', {
      stage,
      snapshots,
      rateLimits,
      publicKeys,
    });
    const { api, url, accessLog } = new ReadApi(this, 'ReadApi', { stage, functions: byName });
    const plans = new AccessPlans(this, 'Plans', { stage, api, publicKeys });
    const door = stage.edge
      ? new FrontDoor(this, 'FrontDoor', { stage, api, publicKey: publicKeys.current, plans, webAclArn })
      : undefined;
    const { dashboardUrl } = new Monitoring(this, 'Monitoring', {
      stage,
      refresher,
      functions: byName,
      api,
      tables: { snapshots: snapshots.tableName, rateLimits: rateLimits.tableName },
      accessLog,
      distributionId: door?.distribution.distributionId,
    });

    this.output('BaseUrl', door?.url ?? url, 'Where callers begin');
    if (door)
      this.output('DistributionDomainName', door.distribution.domainName, 'For the DNS record of a domain');
    this.output('ApiUrl', url, 'The API itself, for partners; every call needs a key');
    this.output('PublicApiKeyId', publicKeys.current.apiKey.keyId, 'The key that the front door sends');
    this.output('PartnerPlanId', plans.partnerPlanId, 'The usage plan for the keys of partners');
    this.output('DashboardUrl', dashboardUrl, 'What the operator looks at first');
  }

  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
