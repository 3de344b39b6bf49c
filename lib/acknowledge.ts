import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Accepts findings of cdk-nag on a construct and everything inside it.
 *
 * @param reasons by the id of the finding, such as `AwsSolutions-DDB3`
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** Makes a synthesis fail for each finding of cdk-nag that is not acknowledged. */
export function addSecurityRules(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
