/**
 * The two DynamoDB tables: one for snapshots and past prices, one for the counts of the rate limit.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { RATE_LIMIT_KEYS, SNAPSHOT_KEYS } from '../lambda/io/platform/storage-layout.ts';
import { acknowledge } from './acknowledge.ts';

/** What both tables have in common. */
const SETTINGS = {
  billingMode: BillingMode.PAY_PER_REQUEST,
  // The next run writes the data again, and a limit lasts one minute.
  removalPolicy: RemovalPolicy.DESTROY,
} as const satisfies Partial<TableProps>;

/** The table of the snapshots, the price samples and the backfill. */
export class SnapshotTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      ...SETTINGS,
      partitionKey: { name: SNAPSHOT_KEYS.partition, type: AttributeType.STRING },
      sortKey: { name: SNAPSHOT_KEYS.sort, type: AttributeType.NUMBER },
      timeToLiveAttribute: SNAPSHOT_KEYS.ttl,
    });
    acknowledge(this.table, { 'AwsSolutions-DDB3': 'The next run writes the data again.' });
  }
}

/** The table of each client's requests in the last minute. */
export class RateLimitTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      ...SETTINGS,
      partitionKey: { name: RATE_LIMIT_KEYS.partition, type: AttributeType.STRING },
      timeToLiveAttribute: RATE_LIMIT_KEYS.ttl,
    });
    acknowledge(this.table, {
      'AwsSolutions-DDB3': 'The counts of the last minute are worthless after it.',
    });
  }
}
