import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Accepts findings of cdk-nag on a construct and all that is inside it.
 *
 * @param reasons by the finding's id, such as `AwsSolutions-SQS3`: why it is right here
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  const rules = Object.entries(reasons).map(([id, reason]) => ({ id, reason }));
  Validations.of(construct).acknowledge(...rules);
}
