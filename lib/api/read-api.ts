/**
 * The REST API of API Gateway: its routes, its errors and its log. CloudFront is in front of it,
 * unless the stage sets `edge=false`.
 */
import { Duration, Size, Stack } from 'aws-cdk-lib';
import {
  EndpointType,
  type IResource,
  LambdaIntegration,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { MIN_COMPRESSION_BYTES } from '../../lambda/core/contract/constants.ts';
import {
  ERRORS,
  GATEWAY_ERRORS,
  type GatewayErrorType,
  gatewayErrorHeaders,
} from '../../lambda/core/contract/errors.ts';
import { EXPOSED_HEADERS, PREFLIGHT_TTL_SECONDS } from '../../lambda/core/contract/headers.ts';
import {
  functionOf,
  type ReadFunctionName,
  ROUTES,
  type Route,
  type RouteName,
} from '../../lambda/core/contract/route-table.ts';
import { allowedMethods } from '../../lambda/core/contract/route-type.ts';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfig } from '../config/stage-config.ts';
import { AccessLog } from './access-log.ts';

interface ReadApiProps {
  readonly stage: StageConfig;
  /** Routes without a function are not deployed. */
  readonly functions: ReadonlyMap<ReadFunctionName, IFunction>;
}

/**
 * The API with a route for each function. Every method needs an API key. Each route accepts ANY
 * method, so that its function can reject a wrong one with 405 and our error body.
 */
export class ReadApi extends Construct {
  readonly restApi: RestApi;
  /** Without a trailing slash. */
  readonly url: string;
  readonly accessLog: AccessLog | undefined;

  constructor(scope: Construct, id: string, { stage, functions }: ReadApiProps) {
    super(scope, id);
    this.accessLog = stage.production ? new AccessLog(this, 'AccessLog', stage) : undefined;
    this.restApi = this.#createApi(stage);
    this.url = this.restApi.url.replace(/\/$/, '');
    this.#addGatewayResponses();
    for (const name of Object.keys(ROUTES) as RouteName[]) {
      const handler = functions.get(functionOf(name));
      if (handler) this.#addRoute(ROUTES[name], handler, stage);
    }
  }

  #addRoute(route: Route, handler: IFunction, stage: StageConfig): void {
    // One permission covers the whole API.
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    const resource = this.restApi.root.resourceForPath(route.path);
    resource.addMethod('ANY', integration, { apiKeyRequired: true });
    // CloudFront, the edge, responds to preflights itself.
    if (!stage.edge) addPreflight(resource, route);
  }

  #createApi(stage: StageConfig): RestApi {
    const { ratePerSecond, burst } = stage.methodThrottle;
    const api = new RestApi(this, 'Api', {
      // The name is a dimension of the API's metrics, so it must be unique.
      restApiName: Stack.of(this).stackName,
      description: `Market Data Proxy (${stage.name})`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(MIN_COMPRESSION_BYTES),
      // A function returns the page's pictures in base64. API Gateway decodes a response only if
      // the caller's Accept is one of these types.
      ...(stage.edge ? { binaryMediaTypes: ['*/*'] } : {}),
      // All APIs of the account and region share this role for logs, so neither a removal nor a
      // failed deployment may delete it.
      cloudWatchRole: stage.production,
      deployOptions: {
        stageName: stage.name,
        ...(this.accessLog && {
          accessLogDestination: this.accessLog.destination,
          accessLogFormat: this.accessLog.format,
        }),
        throttlingRateLimit: ratePerSecond,
        throttlingBurstLimit: burst,
        // Detailed metrics cost 0.30 USD a month each, five per method. The stage's metrics are
        // free.
        metricsEnabled: false,
      },
    });
    acknowledgeOpenness(api, stage);
    return api;
  }

  /** API Gateway's own responses get the error body and headers of all others. */
  #addGatewayResponses(): void {
    for (const type of Object.keys(GATEWAY_ERRORS) as GatewayErrorType[]) {
      // "Customizing the default gateway response for 413 REQUEST_TOO_LARGE isn't currently
      // supported."
      if (type === 'REQUEST_TOO_LARGE') continue;
      const { code, error } = GATEWAY_ERRORS[type];
      const headers = Object.entries(gatewayErrorHeaders(type));
      this.restApi.addGatewayResponse(`Gateway-${type}`, {
        type: ResponseType.of(type),
        // A status here would replace that of every 4xx.
        ...(type === 'DEFAULT_4XX' ? {} : { statusCode: String(ERRORS[code].status) }),
        responseHeaders: {
          // Single quotes mark a constant.
          ...Object.fromEntries(headers.map(([name, value]) => [name, `'${value}'`])),
          'X-Request-Id': 'context.requestId',
        },
        // One template, because AWS does not document which of two a caller with `Accept: */*`
        // gets.
        templates: {
          'application/json': `{"error":${JSON.stringify(error)},"code":"${code}","requestId":"$context.requestId"}`,
        },
      });
    }
  }
}

/** Accepts the findings about an API that everybody may call. */
function acknowledgeOpenness(api: RestApi, { production, webAcl }: StageConfig): void {
  const open =
    'The data is public and read-only. API keys, usage plans and a limit per client restrict callers.';
  acknowledge(api, {
    'AwsSolutions-APIG2':
      'The functions validate every parameter, so that the error names the rule.',
    'AwsSolutions-APIG4': open,
    'AwsSolutions-COG4': open,
    ...(production && {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'AWS made this policy for the logging role of the account.',
    }),
  });
  acknowledge(api.deploymentStage, {
    ...(!production && {
      'AwsSolutions-APIG1':
        'An access log needs the one logging role of the account: only production stages set it.',
    }),
    ...(webAcl !== true && {
      'AwsSolutions-APIG3':
        'A web ACL costs money when idle, so the deployer chooses one (webAcl).',
    }),
    'AwsSolutions-APIG6': "Execution logs would hold callers' addresses; the access log does not.",
  });
}

/** Lets API Gateway respond to preflights, because browsers send them without a key. */
function addPreflight(resource: IResource, route: Route): void {
  resource.addCorsPreflight({
    allowOrigins: ['*'],
    allowMethods: [...allowedMethods(route)],
    allowHeaders: ['*'],
    exposeHeaders: [...EXPOSED_HEADERS],
    maxAge: Duration.seconds(PREFLIGHT_TTL_SECONDS),
  });
}
