import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { SNAPSHOT_KEYS } from '../../lambda/snapshots/dynamodb-items.ts';
import { acknowledge } from '../nag/acknowledge.ts';

/** The table of snapshots: chunk items that expire, and one pointer to the newest. */
export class SnapshotStore extends Construct {
  readonly #table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#table = new Table(this, 'Table', {
      partitionKey: { name: SNAPSHOT_KEYS.partition, type: AttributeType.STRING },
      sortKey: { name: SNAPSHOT_KEYS.sort, type: AttributeType.NUMBER },
      timeToLiveAttribute: SNAPSHOT_KEYS.ttl,
      billingMode: BillingMode.PAY_PER_REQUEST,
      // The data is two minutes old at most and made anew by the next run: nothing is worth keeping.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.#table, {
      'AwsSolutions-DDB3': 'The next run makes the data anew; there is nothing to recover.',
    });
  }

  get tableName(): string {
    return this.#table.tableName;
  }

  /** To read snapshots and the pointer, by key. */
  grantRead(grantee: IGrantable): void {
    this.#table.grant(grantee, 'dynamodb:GetItem');
  }

  /** To read the pointer and to write chunks and pointer. */
  grantPublish(grantee: IGrantable): void {
    this.#table.grant(grantee, 'dynamodb:GetItem', 'dynamodb:PutItem');
  }
}
