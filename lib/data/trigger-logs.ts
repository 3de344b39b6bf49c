import { type CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** What the CDK calls its own function that runs triggers, one for the whole stack. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

export interface TriggerLogsProps {
  readonly retention: RetentionDays;
}

/**
 * A log group for the CDK's own function that runs triggers, and the right to write to this one alone. Without the group
 * Lambda makes one at the first invocation, which never expires; with the policy that AWS has for functions, which may
 * make any group, it makes the group again by the last line that it writes when the stack is destroyed.
 */
export class TriggerLogs extends Construct {
  /** @throws Error when the stack has no trigger yet */
  constructor(scope: Construct, id: string, props: TriggerLogsProps) {
    super(scope, id);
    const { retention } = props;
    const { logGroupName, logGroupArn } = new LogGroup(this, 'Group', {
      retention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const provider = Stack.of(this).node.findChild(PROVIDER).node;
    const role = provider.findChild('Role') as CfnResource;
    role.addPropertyDeletionOverride('ManagedPolicyArns');
    role.addPropertyOverride('Policies.1', {
      PolicyName: 'Logs',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: logGroupArn },
        ],
      },
    });
    const handler = provider.findChild('Handler') as CfnResource;
    handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
    handler.addPropertyOverride('Architectures', ['arm64']);
  }
}
