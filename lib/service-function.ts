/**
 * A Lambda function as all functions of the service are: its runtime, log, and a role with the
 * least rights.
 */
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnFunction,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentOf, FunctionName } from '../lambda/io/platform/environment.ts';
import { metricsNamespace } from '../lambda/io/platform/metrics.ts';
import { bundledCode } from './bundled-code.ts';
import type { StageConfig } from './config/stage-config.ts';

/** A right of a function's role. */
export interface Access {
  readonly actions: readonly string[];
  readonly resource: string;
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface ServiceFunctionProps<F extends FunctionName> {
  /** The file in `lambda/handlers`. */
  readonly handler: F;
  readonly description: string;
  readonly environment: EnvironmentOf<F>;
  /** Besides its own log group. @default nothing */
  readonly access?: readonly Access[];
  readonly memoryMb?: number | undefined;
  readonly timeout?: Duration;
  readonly stage: StageConfig;
}

/**
 * A function of the service with its log group and role. Its bundle includes the SDK. Its role may
 * write to the function's own log group only, unlike AWS's managed policy.
 */
export class ServiceFunction<F extends FunctionName> extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps<F>) {
    const { handler, description, environment, access = [], stage } = props;
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const log: Access = {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resource: logGroup.logGroupArn,
    };
    const statements = [log, ...access].map(
      ({ actions, resource, conditions }) =>
        new PolicyStatement({
          actions: [...actions],
          resources: [resource],
          ...(conditions && { conditions }),
        }),
    );
    super(scope, id, {
      code: bundledCode(handler),
      handler: 'index.handler',
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb ?? 512,
      timeout: props.timeout ?? Duration.seconds(10),
      // Two stages in one account must not mix their metrics.
      environment: { ...environment, METRICS_NAMESPACE: metricsNamespace(stage.name) },
      logGroup,
      role: new Role(scope, `${id}Role`, {
        description,
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { Access: new PolicyDocument({ statements }) },
      }),
    });
    // The CDK lists the role here, but the function's own field `Role` refers to it anyway.
    if (this.node.defaultChild instanceof CfnFunction)
      this.node.defaultChild.addDeletionOverride('DependsOn');
  }
}
