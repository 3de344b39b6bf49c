import { type Invocation, newTraceId } from '../lambda/lambda-function.ts';
import { AccessCheck } from './access-check.ts';
import type { ApiDefinition } from './api-definition.ts';
import { compress } from './compression.ts';
import { type ApiContext, type Exchange, lookupIn, newExchange } from './exchange.ts';
import type { GatewayResponseType } from './gateway-response-types.ts';
import { type GatewayRequest, type HttpResponse, headerOf, queryOf } from './messages.ts';
import type { LambdaIntegration, MethodDefinition } from './method-definition.ts';
import type { MockIntegration } from './mock-integration.ts';
import { proxyEvent } from './proxy-event.ts';
import { proxyResponse } from './proxy-response.ts';
import { RouteTable } from './routes.ts';
import type { ApiKey } from './usage-plans.ts';

/** Lambda takes and gives payloads up to 6 MB (6,291,556 bytes, Lambda quotas). */
const MAX_PAYLOAD_BYTES = 6_291_556;

export interface GatewayOptions {
  readonly context: Omit<ApiContext, 'stageName' | 'stageVariables' | 'apiId'>;
  /** Invokes the function of that ARN with an event as JSON text. */
  readonly invoke: (functionArn: string, event: string, traceId: string) => Promise<Invocation>;
  /** Told why the caller got "Internal server error". */
  readonly onFailure: (reason: string, requestId: string, functionArn: string) => void;
  /** Milliseconds since 1970, for throttles and quotas. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A deployed stage of the API: turns a request into a response as API Gateway does, in its order of checks. */
export class Gateway {
  readonly #api: ApiDefinition;
  readonly #options: GatewayOptions;
  readonly #context: ApiContext;
  readonly #routes: RouteTable<MethodDefinition>;
  readonly #accessCheck: AccessCheck;

  constructor(api: ApiDefinition, options: GatewayOptions) {
    this.#api = api;
    this.#options = options;
    const { name: stageName, variables: stageVariables } = api.stage;
    this.#context = { ...options.context, apiId: api.id, stageName, stageVariables };
    this.#routes = new RouteTable(api.methods);
    this.#accessCheck = new AccessCheck(api.stage, api.plans, api.keys, options.now);
  }

  async handle(request: GatewayRequest): Promise<HttpResponse> {
    const match = this.#routes.match(request.method, request.path);
    const { resource } = match?.route ?? {};
    const exchange = newExchange(
      request,
      this.#context,
      match === undefined || resource === undefined
        ? undefined
        : { resource, pathParameters: match.pathParameters },
    );
    const response =
      match === undefined
        ? this.#refuse(exchange, 'MISSING_AUTHENTICATION_TOKEN')
        : await this.#serve(exchange, match.route);
    return { ...response, headers: [...response.headers, ['x-amzn-RequestId', exchange.requestId]] };
  }

  async #serve(exchange: Exchange, method: MethodDefinition): Promise<HttpResponse> {
    const { request } = exchange;
    if (request.bodyTooLarge) return this.#refuse(exchange, 'REQUEST_TOO_LARGE');
    const access = this.#accessCheck.check(method, request);
    if (!access.allowed) return this.#refuse(exchange, access.refusal);
    const missing = missingParameters(method, request);
    if (missing.length > 0) {
      const message = `Missing required request parameters: [${missing.join(', ')}]`;
      return this.#refuse(exchange, 'BAD_REQUEST_PARAMETERS', message);
    }
    const { integration } = method;
    const response =
      integration.kind === 'mock'
        ? this.#mock(exchange, integration)
        : await this.#proxy(exchange, integration, access.apiKey);
    return compress(response, headerOf(request.headers, 'accept-encoding'), this.#api.minimumCompressionSize);
  }

  #mock(exchange: Exchange, integration: MockIntegration): HttpResponse {
    const type = headerOf(exchange.request.headers, 'content-type')?.split(';')[0]?.trim().toLowerCase();
    // A body of another kind passes the request template by, and then nothing states a status.
    if (type !== undefined && !integration.mediaTypes.includes(type)) {
      return this.#refuse(exchange, 'API_CONFIGURATION_ERROR');
    }
    const { body, ...response } = integration.respond(lookupIn(exchange));
    return { ...response, body: Buffer.from(body) };
  }

  async #proxy(
    exchange: Exchange,
    integration: LambdaIntegration,
    apiKey: ApiKey | undefined,
  ): Promise<HttpResponse> {
    const traceId = newTraceId();
    const event = JSON.stringify(proxyEvent(exchange, apiKey, traceId));
    if (Buffer.byteLength(event) > MAX_PAYLOAD_BYTES) return this.#refuse(exchange, 'REQUEST_TOO_LARGE');
    const invocation = await withTimeout(
      integration.timeoutMs,
      this.#options.invoke(integration.functionArn, event, traceId),
    );
    if (invocation === undefined) return this.#refuse(exchange, 'INTEGRATION_TIMEOUT');
    const response = responseOf(invocation);
    if (typeof response !== 'string') return response;
    this.#options.onFailure(response, exchange.requestId, integration.functionArn);
    return this.#refuse(exchange, 'DEFAULT_5XX');
  }

  #refuse(exchange: Exchange, type: GatewayResponseType, message?: string): HttpResponse {
    return this.#api.responses.make(type, lookupIn(exchange), message);
  }
}

function responseOf(invocation: Invocation): HttpResponse | string {
  if (!invocation.ok) return invocation.error.errorMessage;
  const bytes = Buffer.byteLength(invocation.payload);
  if (bytes > MAX_PAYLOAD_BYTES)
    return `the function returned ${bytes} bytes, more than Lambda's ${MAX_PAYLOAD_BYTES}`;
  return proxyResponse(invocation.payload);
}

/** API Gateway takes a blank parameter for a missing one. */
function missingParameters(
  { requiredQuery, requiredHeaders }: MethodDefinition,
  request: GatewayRequest,
): string[] {
  const query = new Map(queryOf(request.query));
  return [
    ...requiredQuery.filter((name) => (query.get(name) ?? '').trim() === ''),
    ...requiredHeaders.filter((name) => (headerOf(request.headers, name) ?? '').trim() === ''),
  ];
}

/** `undefined` when the promise has not settled after `ms` milliseconds. */
async function withTimeout<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
