/**
 * cdk-nag checks the stack against AWS's security rules during synthesis. A finding that we
 * accept has its reason beside the construct.
 */
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Accepts findings of cdk-nag on a construct and its children.
 *
 * @param reasons by finding, such as `AwsSolutions-DDB3`
 */
export function acknowledge(
  construct: IConstruct,
  reasons: Readonly<Record<string, string>>,
): void {
  Validations.of(construct).acknowledge(
    ...Object.entries(reasons).map(([id, reason]) => ({ id, reason })),
  );
}

/** Fails the synthesis for each unacknowledged finding of cdk-nag. */
export function addSecurityRules(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
