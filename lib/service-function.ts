import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { EnvironmentOf, FunctionName } from '../lambda/contract/environment.ts';
import { metricsNamespace } from '../lambda/contract/metrics.ts';
import { bundledCode } from './bundled-code.ts';
import type { Stage } from './config/stages.ts';
import { acknowledge } from './nag/acknowledge.ts';

export interface ServiceFunctionProps<F extends FunctionName> {
  /** The handler's file in `lambda/handlers`. */
  readonly handler: F;
  readonly description: string;
  readonly environment: EnvironmentOf<F>;
  /** @default 512 */
  readonly memoryMb?: number | undefined;
  /** @default 10 seconds */
  readonly timeout?: Duration;
  /** Executions that are this function's own, out of the account's. @default none */
  readonly reservedConcurrency?: number;
  readonly stage: Stage;
}

/**
 * A function of this service: one bundle with its own SDK, arm64, traced, and a role that may write to its own log
 * group (the AWS-managed policy for functions may write to every one there is).
 */
export class ServiceFunction<F extends FunctionName> extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps<F>) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      description: props.description,
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    super(scope, id, {
      code: bundledCode(`lambda/handlers/${props.handler}.ts`),
      handler: 'index.handler',
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb ?? 512,
      timeout: props.timeout ?? Duration.seconds(10),
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: {
        ...props.environment,
        // Two stages in one account must not mix their metrics.
        METRICS_NAMESPACE: metricsNamespace(props.stage.name),
      },
      logGroup,
      role,
      tracing: Tracing.ACTIVE,
    });
    acknowledge(role, {
      'AwsSolutions-IAM5[Resource::*]': 'Lambda sends traces with it; X-Ray has no resources to name.',
    });
    acknowledge(this, {
      'Serverless-LambdaDLQ':
        'API Gateway waits for the response of the functions that read; the refresher has a destination for failures.',
    });
  }
}
