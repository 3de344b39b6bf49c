import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import {
  type CfnMethod,
  EndpointType,
  type IResource,
  LambdaIntegration,
  type Method,
  RequestValidator,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { EXPOSED_HEADERS, PREFLIGHT_KEPT_SECONDS } from '../../lambda/contract/headers.ts';
import { allowedMethods, methodsOf } from '../../lambda/contract/route.ts';
import {
  functionOf,
  type ReadFunctionName,
  ROUTES,
  type Route,
  type RouteName,
} from '../../lambda/contract/routes.ts';
import type { Stage } from '../config/stages.ts';
import { acknowledge } from '../nag/acknowledge.ts';
import { AccessLog } from './access-log.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { methodSettings, settingsOf } from './method-settings.ts';

export interface ReadApiProps {
  readonly stage: Stage;
  /** By name. Endpoints whose function is left out are left out too. */
  readonly functions: Readonly<Partial<Record<ReadFunctionName, IFunction>>>;
}

/** Smaller responses are not worth compressing. */
const MIN_COMPRESSION = Size.bytes(1_024);

/** The REST API, made from the route table: every route needs a key, has CORS and responds to each method itself. */
export class ReadApi extends Construct {
  readonly api: RestApi;
  /** Without a slash at the end. */
  readonly url: string;
  /** Where the stage has one. */
  readonly accessLog?: AccessLog | undefined;
  /** Of the endpoints that the per-IP limit does not count. */
  readonly freeMethods: readonly Method[];

  constructor(scope: Construct, id: string, props: ReadApiProps) {
    super(scope, id);
    const { stage, functions } = props;
    const deployed = (Object.keys(ROUTES) as RouteName[]).filter((route) => functions[functionOf(route)]);
    this.accessLog = stage.apiAccessLog ? new AccessLog(this, 'AccessLog', { stage }) : undefined;
    this.api = new RestApi(this, 'Api', {
      // Its metrics bear this name, and would be added to those of any other API called "Api".
      restApiName: Stack.of(this).stackName,
      description: `Market Data Proxy (${stage.name})`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: MIN_COMPRESSION,
      // One for all APIs of the account: whoever else logs must be able to go on when this stack is gone.
      cloudWatchRole: stage.apiAccessLog,
      ...(stage.apiAccessLog ? { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN } : {}),
      deployOptions: {
        stageName: stage.name,
        tracingEnabled: true,
        ...(this.accessLog && {
          accessLogDestination: this.accessLog.destination,
          accessLogFormat: this.accessLog.format,
        }),
        ...settingsOf(stage.stageThrottle),
        methodOptions: methodSettings(deployed, stage.proxyThrottle),
      },
    });
    acknowledgeOpenness(this.api, stage);
    this.url = this.api.url.replace(/\/$/, '');
    addGatewayResponses(this.api);
    const requestValidator = new RequestValidator(this, 'Validator', {
      restApi: this.api.root.api,
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    const freeMethods: Method[] = [];
    this.freeMethods = freeMethods;
    for (const route of deployed) {
      const handler = functions[functionOf(route)];
      if (!handler) continue;
      const integration = new LambdaIntegration(handler, {
        // One permission for the whole API instead of one a method.
        scopePermissionToMethod: false,
      });
      const resource = this.api.root.resourceForPath(ROUTES[route].path);
      const requestParameters = declaredParameters(route);
      // Its methods by name, since throttles are set for a named method; ANY so that 405 and 413 are ours.
      for (const method of [...methodsOf(ROUTES[route]), 'ANY']) {
        const added = resource.addMethod(method, integration, {
          apiKeyRequired: true,
          requestValidator,
          ...(method === 'ANY' ? {} : { requestParameters }),
        });
        if (!ROUTES[route].counted) freeMethods.push(added);
      }
      addPreflight(resource, allowedMethods(ROUTES[route]), stage.edge);
    }
  }
}

/** What cdk-nag would have of an API that is not public. */
function acknowledgeOpenness(api: RestApi, { apiAccessLog }: Stage): void {
  const open =
    'The data is public and read-only; an API key and usage plans bound who calls, and a limit each address.';
  acknowledge(api, { 'AwsSolutions-APIG4': open, 'AwsSolutions-COG4': open });
  const role =
    'It needs a logging role that all APIs of the account share: a stage says whether it takes that setting over.';
  if (apiAccessLog) {
    acknowledge(api, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy that AWS made for the logging role of the account.',
    });
  } else {
    acknowledge(api.deploymentStage, {
      'AwsSolutions-APIG1': role,
      'Serverless-APIGWAccessLogging': role,
    });
  }
  acknowledge(api.deploymentStage, {
    'AwsSolutions-APIG6': "Execution logs would hold callers' addresses; the access log does not.",
    'AwsSolutions-APIG3':
      'A web ACL stands at the edge, where the stage has one; around the edge a key is needed.',
  });
}

/**
 * Declared for what reads the API's definition. None of the query is required here: the functions check presence too,
 * so that aliases work, the message names the rule, and the request is counted by the limit.
 */
function declaredParameters(route: RouteName): Record<string, boolean> {
  const { parameters }: Route = ROUTES[route];
  const names = Object.entries(parameters).flatMap(([name, { in: place, aliases = [] }]) =>
    place === 'path' ? [`path.${name}`] : [name, ...aliases].map((key) => `querystring.${key}`),
  );
  return Object.fromEntries(names.map((name) => [`method.request.${name}`, name.startsWith('path.')]));
}

/**
 * Responded to by API Gateway itself, without a function. Behind an edge, which responds to all preflights, only with a key,
 * so that nobody can have them paid for around it; without an edge a browser must get one without a key.
 */
function addPreflight(resource: IResource, methods: readonly string[], apiKeyRequired: boolean): void {
  const preflight = resource.addCorsPreflight({
    allowOrigins: ['*'],
    allowMethods: [...methods],
    allowHeaders: ['*'],
    exposeHeaders: [...EXPOSED_HEADERS],
    maxAge: Duration.seconds(PREFLIGHT_KEPT_SECONDS),
  });
  (preflight.node.defaultChild as CfnMethod).apiKeyRequired = apiKeyRequired;
}
