import { Stack } from 'aws-cdk-lib';
import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import { Construct } from 'constructs';

/** Of the requests. X-Ray's own rule takes the first of each second besides, up to 2.6 million a month. */
export const TRACED_SHARE = 0.01;
/** Before X-Ray's own rule, which comes last with 10,000. */
const PRIORITY = 1_000;

/**
 * Which requests are traced: one in a hundred of this stack's API and functions, whose names all begin with the stack's.
 * A trace costs more than API Gateway asks for the request.
 */
export class TraceSampling extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new CfnSamplingRule(this, 'Rule', {
      samplingRule: {
        ruleName: stackName,
        version: 1,
        priority: PRIORITY,
        fixedRate: TRACED_SHARE,
        reservoirSize: 0,
        serviceName: `${stackName}*`,
        serviceType: '*',
        host: '*',
        httpMethod: '*',
        urlPath: '*',
        resourceArn: '*',
      },
    });
  }
}
