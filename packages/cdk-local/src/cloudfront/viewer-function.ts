import { runInNewContext } from 'node:vm';
import type { HttpResponse } from '../api-gateway/messages.ts';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Stack } from '../template/stack.ts';

/** A request, as far as a function at the edge looks at it here. */
export interface ViewerRequest {
  readonly method: string;
  readonly path: string;
}

/** What the edge responds by itself; undefined for a request that it passes on. */
export type ViewerFunction = (request: ViewerRequest) => HttpResponse | undefined;

/**
 * The function that a distribution of the template runs for each request to its default behavior, before it looks for
 * a copy or asks the origin. Only what it responds by itself is heeded.
 */
export function readViewerFunction(stack: Stack): ViewerFunction | undefined {
  const [distribution] = stack.resources('AWS::CloudFront::Distribution');
  const behavior = distribution?.properties.section('DistributionConfig')?.section('DefaultCacheBehavior');
  const associations: readonly Properties[] = behavior?.objects('FunctionAssociations') ?? [];
  const arn = associations.find((one) => one.string('EventType') === 'viewer-request')?.string('FunctionARN');
  if (arn === undefined) return undefined;
  const found = stack
    .resources('AWS::CloudFront::Function')
    .find(({ id }) => stack.attribute(id, 'FunctionARN') === arn);
  const code = found?.properties.string('FunctionCode');
  return code === undefined ? undefined : (request) => run(code, request);
}

function run(code: string, { method, path }: ViewerRequest): HttpResponse | undefined {
  const request = { method, uri: path, querystring: {}, headers: {}, cookies: {} };
  const event = JSON.stringify({ version: '1.0', context: { eventType: 'viewer-request' }, request });
  const result: Json = JSON.parse(runInNewContext(`${code}\nJSON.stringify(handler(${event}));`));
  if (!isObject(result) || result.statusCode === undefined) return undefined;
  return {
    status: Number(result.statusCode),
    headers: Object.entries(headersOf(result)).map(([name, header]) => [
      name,
      stringAt(objectAt(header, name).value, name),
    ]),
    body: Buffer.alloc(0),
  };
}

function headersOf({ headers }: JsonObject): JsonObject {
  return isObject(headers) ? headers : {};
}
