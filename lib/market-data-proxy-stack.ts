/** The stack of a stage: makes each part of the service, and connects them. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AccessPlans } from './api/access-plans.ts';
import { PublicKeys } from './api/public-keys.ts';
import { ReadApi } from './api/read-api.ts';
import { ReadFunctions } from './api/read-functions.ts';
import { WebAcl } from './api/web-acl.ts';
import { Archiver } from './archiver.ts';
import { Check } from './check.ts';
import type { StageConfig } from './config/stage-config.ts';
import { EdgeDistribution } from './edge/edge-distribution.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { Refresher } from './refresher.ts';
import { RateLimitTable, SnapshotTable } from './tables.ts';

interface MarketDataProxyStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly version: string;
  readonly runbookUrl: string;
}

/** The parts that have outputs. */
interface StackParts extends Pick<MarketDataProxyStackProps, 'stage' | 'version'> {
  /** The address for callers: CloudFront's if it is in front, otherwise API Gateway's. */
  readonly url: string;
  readonly refresher: Refresher;
  readonly archiver: Archiver | undefined;
  readonly api: ReadApi;
  readonly publicKeys: PublicKeys;
  readonly plans: AccessPlans;
  /** CloudFront; undefined with `edge=false`. */
  readonly edge: EdgeDistribution | undefined;
  readonly monitoring: Monitoring;
}

/**
 * The whole service in one region: tables, functions, API, CloudFront, archive, check and alarms.
 */
export class MarketDataProxyStack extends Stack {
  constructor(scope: Construct, id: string, props: MarketDataProxyStackProps) {
    super(scope, id, props);
    const { stage, version, runbookUrl } = props;
    const snapshots = new SnapshotTable(this, 'Snapshots');
    const rateLimits = new RateLimitTable(this, 'RateLimits');
    const refresher = new Refresher(this, 'Refresher', { stage, snapshots });
    const archiver =
      stage.archive !== false
        ? new Archiver(this, 'Archiver', { stage, snapshots, version })
        : undefined;
    const publicKeys = new PublicKeys(this, stage);
    const reads = new ReadFunctions(this, 'Read', {
      stage,
      snapshots,
      rateLimits,
      publicKeys,
      version,
    });
    const functions = reads.byName;
    const api = new ReadApi(this, 'ReadApi', { stage, functions });
    const plans = new AccessPlans(this, 'Plans', { stage, api, publicKeys });
    // Otherwise the stage has none, or CloudFront gets an existing one.
    if (stage.webAcl === true) new WebAcl(this, 'WebAcl', api.restApi);
    const publicKey = publicKeys.current;
    const edge = stage.edge
      ? new EdgeDistribution(this, 'Edge', { stage, api: api.restApi, publicKey, plans })
      : undefined;
    const url = edge?.url ?? api.url;
    // CloudFront sends the public key itself; API Gateway needs it from the caller.
    const check = new Check(this, 'Check', { stage, url, apiKey: edge ? '' : publicKey.value });
    const monitored = {
      stage,
      refresher: refresher.function,
      archiver: archiver?.function,
      check: check.function,
      functions,
      api,
      tables: { snapshots: snapshots.table.tableName, rateLimits: rateLimits.table.tableName },
    };
    const monitoring = new Monitoring(this, 'Monitoring', monitored, runbookUrl);

    this.#addOutputs({
      stage,
      version,
      url,
      refresher,
      archiver,
      api,
      publicKeys,
      plans,
      edge,
      monitoring,
    });
  }

  /** What `cdk deploy` prints, and what documents and workflows read from the deployed stack. */
  #addOutputs(parts: StackParts): void {
    const { stage, version, url, refresher, archiver, api, publicKeys, plans, edge, monitoring } =
      parts;
    this.#output('BaseUrl', url, 'The address for callers');
    if (edge)
      this.#output(
        'DistributionDomainName',
        edge.distribution.domainName,
        'The target of a DNS record',
      );
    this.#output('ApiUrl', api.url, 'The address for partners; every call needs a key');
    this.#output(
      'PublicApiKeyId',
      publicKeys.current.apiKey.keyId,
      'The id of the key that the front door sends',
    );
    this.#output('PartnerPlanId', plans.partnerPlanId, "The usage plan for partners' keys");
    if (monitoring.alarmTopicArn !== undefined) {
      this.#output('AlarmTopicArn', monitoring.alarmTopicArn, 'The topic of the alarm emails');
    }
    this.#output('DashboardUrl', monitoring.dashboardUrl, 'The dashboard');
    this.#output(
      'RefresherName',
      refresher.function.functionName,
      'The function that publishes snapshots',
    );
    if (archiver) {
      this.#output(
        'ArchiveBucket',
        archiver.bucket.bucketName,
        'The bucket of the archive; cdk destroy keeps it',
      );
      this.#output(
        'ArchiverName',
        archiver.function.functionName,
        'The function that writes the archive',
      );
    }
    this.#output('Version', version, 'The deployed version, as git describes it');
    this.#output(
      'Settings',
      stage.overrides,
      'The stage, and its settings that differ from the defaults',
    );
  }

  #output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description });
  }
}
