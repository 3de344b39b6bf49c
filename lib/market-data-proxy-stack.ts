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
import { FrontDoorWatch } from './edge/front-door-watch.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { TraceSampling } from './trace-sampling.ts';

export interface MarketDataProxyStackProps extends StackProps {
  readonly stage: Stage;
  /** What is deployed, as /api/status and the outputs say it. */
  readonly version: string;
  /** Where alarms send their reader; a phone can open it where it is an address. */
  readonly runbookUrl: string;
  /** Web ACL of the edge, where the stage has an edge. @default none */
  readonly webAclArn?: string | undefined;
}

/** The whole service; every part is a construct of its own. */
export class MarketDataProxyStack extends Stack {
  constructor(scope: Construct, id: string, props: MarketDataProxyStackProps) {
    super(scope, id, props);
    const { stage, version, runbookUrl, webAclArn } = props;

    const snapshots = new SnapshotStore(this, 'Snapshots');
    const refresher = new Refresher(this, 'Refresher', { stage, snapshots });
    const rateLimits = new RateLimitStore(this, 'RateLimits');
    const publicKeys = new PublicKeys(this, stage);
    const { byName } = new ReadFunctions(this, 'Read', {
      stage,
      snapshots,
      rateLimits,
      publicKeys,
      version,
    });
    const { api, url, accessLog, freeMethods } = new ReadApi(this, 'ReadApi', { stage, functions: byName });
    const plans = new AccessPlans(this, 'Plans', { stage, api, freeMethods, publicKeys });
    const door = stage.edge
      ? new FrontDoor(this, 'FrontDoor', { stage, api, publicKey: publicKeys.current, plans, webAclArn })
      : undefined;
    const watch = door && new FrontDoorWatch(this, 'FrontDoorWatch', { stage, url: door.url });
    new TraceSampling(this, 'TraceSampling');
    const monitoring = new Monitoring(this, 'Monitoring', {
      stage,
      runbookUrl,
      refresher,
      functions: byName,
      api,
      tables: { snapshots: snapshots.tableName, rateLimits: rateLimits.tableName },
      accessLog,
      distributionId: door?.distribution.distributionId,
      watch: watch?.function,
    });

    // Made last, when the first run has had the minutes that CloudFront takes: no alarm rings for data that cannot be there.
    monitoring.alarms.node.addDependency(refresher, ...(door ? [door.distribution] : []));

    this.#output('BaseUrl', door?.url ?? url, 'Where callers begin');
    if (door)
      this.#output('DistributionDomainName', door.distribution.domainName, 'For the DNS record of a domain');
    this.#output('ApiUrl', url, 'The API itself, for partners; every call needs a key');
    this.#output('PublicApiKeyId', publicKeys.current.apiKey.keyId, 'The key that the front door sends');
    this.#output('PartnerPlanId', plans.partnerPlanId, 'The usage plan for the keys of partners');
    this.#output('DashboardUrl', monitoring.dashboardUrl, 'What the operator looks at first');
    this.#output('RefresherName', refresher.function.functionName, 'The function that makes the snapshots');
    this.#output('FailedQueueUrl', refresher.failed.queueUrl, 'A message for each run that failed');
    this.#output(
      'UndeliveredQueueUrl',
      refresher.undelivered.queueUrl,
      'A message for each run that never began',
    );
    this.#output('Version', version, 'What is deployed, as git describes it');
    this.#output('Settings', stage.changes, 'The stage, and its settings that differ from the defaults');
  }

  #output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
