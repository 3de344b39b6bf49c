import { type CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** What the CDK calls its own function that runs triggers, one for the whole stack. */
const PROVIDER = 'AWSCDK.TriggerCustomResourceProviderCustomResourceProvider';

export interface TriggerLogsProps {
  readonly retention: RetentionDays;
}

/**
 * A log group for the CDK's own function that runs triggers. Without one Lambda makes one at its first invocation,
 * which never expires and stays when the stack is gone.
 */
export class TriggerLogs extends Construct {
  /** @throws Error when the stack has no trigger yet */
  constructor(scope: Construct, id: string, props: TriggerLogsProps) {
    super(scope, id);
    const { retention } = props;
    const { logGroupName } = new LogGroup(this, 'Group', { retention, removalPolicy: RemovalPolicy.DESTROY });
    const handler = Stack.of(this).node.findChild(PROVIDER).node.findChild('Handler') as CfnResource;
    handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
    handler.addPropertyOverride('Architectures', ['arm64']);
  }
}
