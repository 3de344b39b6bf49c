import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { RATE_LIMIT_KEYS } from '../../lambda/rate-limit/dynamodb-items.ts';
import { acknowledge } from '../nag/acknowledge.ts';

/** The table of the per-IP limit: one item for each address that was seen lately, under a keyed hash. */
export class RateLimitStore extends Construct {
  readonly #table: Table;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#table = new Table(this, 'Table', {
      partitionKey: { name: RATE_LIMIT_KEYS.partition, type: AttributeType.STRING },
      timeToLiveAttribute: RATE_LIMIT_KEYS.ttl,
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Nothing in it means anything after a minute.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.#table, { 'AwsSolutions-DDB3': 'The counts of a minute ago are worth nothing.' });
  }

  get tableName(): string {
    return this.#table.tableName;
  }

  /** To count requests. Updates give back what they wrote, so that nothing needs to be read. */
  grantCount(grantee: IGrantable): void {
    this.#table.grant(grantee, 'dynamodb:UpdateItem');
  }
}
