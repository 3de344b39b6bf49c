import { type CfnElement, Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { acknowledge } from './nag/acknowledge.ts';

/**
 * The role under which EventBridge Scheduler, for this account alone, invokes one function. The schedule's target grants
 * it what it needs.
 */
export function schedulerRole(scope: Construct, invoked: IFunction, description: string): Role {
  const { account } = Stack.of(scope);
  const role = new Role(scope, 'Invoker', {
    description,
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  });
  const versions = `<${Stack.of(scope).getLogicalId(invoked.node.defaultChild as CfnElement)}.Arn>:*`;
  acknowledge(role, {
    [`AwsSolutions-IAM5[Resource::${versions}]`]:
      'The versions of this one function: the CDK grants them with it.',
  });
  return role;
}
