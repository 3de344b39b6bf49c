import { Duration, Size } from 'aws-cdk-lib';
import {
  EndpointType,
  type IResource,
  LambdaIntegration,
  type Method,
  RequestValidator,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ALLOWED_METHODS, EXPOSED_HEADERS } from '../lambda/contract/headers.ts';
import { ROUTES, type RouteName } from '../lambda/contract/routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { Stage } from './stages.ts';

export interface ReadApiProps {
  readonly stage: Stage;
  readonly functions: Readonly<Partial<Record<RouteName, IFunction>>>;
}

/** How long a browser may remember a preflight; browsers cap it at two hours or less. */
const PREFLIGHT = Duration.hours(2);
/** Smaller answers are not worth compressing. */
const MIN_COMPRESSION = Size.bytes(1_024);

/** The REST API, made from the route table: every route needs a key, has CORS and answers each method itself. */
export class ReadApi extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, props: ReadApiProps) {
    super(scope, id);
    this.api = new RestApi(this, 'Api', {
      description: `Market Data Proxy (${props.stage.name})`,
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: MIN_COMPRESSION,
      cloudWatchRole: false,
      deployOptions: { stageName: props.stage.name, tracingEnabled: true, metricsEnabled: true },
    });
    addGatewayResponses(this.api);
    const requestValidator = new RequestValidator(this, 'Validator', {
      restApi: this.api,
      validateRequestBody: true,
      validateRequestParameters: true,
    });
    for (const [route, handler] of Object.entries(props.functions) as [RouteName, IFunction][]) {
      const integration = new LambdaIntegration(handler, {
        // One permission for the whole API instead of one a method.
        scopePermissionToMethod: false,
      });
      const resource = this.api.root.resourceForPath(ROUTES[route].path);
      const requestParameters = declaredParameters(route);
      // GET and HEAD by name, since throttles are set for a named method; ANY so that 405 and 413 are ours.
      for (const method of ['GET', 'HEAD', 'ANY']) {
        resource.addMethod(method, integration, {
          apiKeyRequired: true,
          requestValidator,
          ...(method === 'ANY' ? {} : { requestParameters }),
        });
      }
      addPreflight(resource);
    }
  }
}

/**
 * Declared for what reads the API's definition. None is required here: the functions check presence too, so that
 * aliases work, the message names the rule, and the request is counted by the limit.
 */
function declaredParameters(route: RouteName): Record<string, boolean> {
  const names = Object.entries(ROUTES[route].parameters).flatMap(([name, parameter]) => [
    name,
    ...('aliases' in parameter ? parameter.aliases : []),
  ]);
  return Object.fromEntries(names.map((name) => [`method.request.querystring.${name}`, false]));
}

/** Answered by API Gateway itself, without a key and without a function. */
function addPreflight(resource: IResource): Method {
  return resource.addCorsPreflight({
    allowOrigins: ['*'],
    allowMethods: [...ALLOWED_METHODS],
    allowHeaders: ['*'],
    exposeHeaders: [...EXPOSED_HEADERS],
    maxAge: PREFLIGHT,
  });
}
