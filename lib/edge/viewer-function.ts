import { Stack } from 'aws-cdk-lib';
import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { MAX_BODY_CHARACTERS } from '../../lambda/contract/constants.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '../../lambda/contract/errors.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, ERROR_HEADERS, PREFLIGHT_HEADERS } from '../../lambda/contract/headers.ts';
import { allowedMethods, type Route } from '../../lambda/contract/route.ts';
import { ROUTES } from '../../lambda/contract/routes.ts';

/** A character of UTF-8 has at most four bytes. The functions count the characters. */
const MAX_BODY_BYTES = 4 * MAX_BODY_CHARACTERS;

/**
 * The function that CloudFront runs for each request of a viewer. It overwrites the header `x-viewer-ip` with the viewer's
 * address, so that the API can trust it beside the public key. It responds to preflights. It rejects methods that no
 * endpoint has and bodies that no endpoint accepts, because CloudFront charges for each byte that it sends to the API.
 */
export function createViewerFunction(scope: Construct, id: string): EdgeFunction {
  const { stackName, region } = Stack.of(scope);
  return new EdgeFunction(scope, id, {
    // The name that the CDK would make is the same for all stages of a region.
    functionName: `${stackName}-viewer-${region}`,
    comment: 'Responds to preflights, rejects large bodies, passes on the address of the viewer',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(viewerFunctionCode()),
  });
}

function viewerFunctionCode(): string {
  const preflight = { statusCode: 204, statusDescription: 'No Content', headers: viewerHeaders(PREFLIGHT_HEADERS) };
  const wrongMethod = refusal(
    'method_not_allowed',
    'Method Not Allowed',
    'Use one of the methods in the header Allow.',
  );
  const posted = Object.values<Route>(ROUTES).filter(({ method }) => method === 'POST');
  const allowed = Object.fromEntries(posted.map((route) => [route.path, allowedMethods(route).join(', ')]));
  const wrongBody = refusal(
    'body_too_large',
    'Content Too Large',
    `Send a body of at most ${MAX_BODY_CHARACTERS} characters, and its length in Content-Length.`,
  );
  return `var preflight = ${JSON.stringify(preflight)};
var wrongMethod = ${JSON.stringify(wrongMethod)};
var wrongBody = ${JSON.stringify(wrongBody)};
var allowed = ${JSON.stringify(allowed)};
function refuse(refusal, event) {
  var response = refusal.response;
  var requestId = event.context.requestId;
  response.headers['x-request-id'] = { value: requestId };
  response.body = JSON.stringify({ error: refusal.error, code: refusal.code, requestId: requestId });
  return response;
}
function handler(event) {
  var request = event.request;
  var method = request.method;
  if (method === 'OPTIONS') return preflight;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    wrongMethod.response.headers.allow = { value: allowed[request.uri] || '${ALLOWED_METHODS.join(', ')}' };
    return refuse(wrongMethod, event);
  }
  var length = request.headers['content-length'];
  var isTooLong = length ? !(Number(length.value) <= ${MAX_BODY_BYTES}) : method === 'POST';
  if (isTooLong) return refuse(wrongBody, event);
  request.headers['x-viewer-ip'] = { value: event.viewer.ip };
  return request;
}
`;
}

interface Refusal extends Omit<ErrorBody, 'requestId'> {
  readonly response: Readonly<Record<string, unknown>>;
}

function refusal(code: ErrorCode, statusDescription: string, error: string): Refusal {
  const headers = viewerHeaders({ ...COMMON_HEADERS, ...ERROR_HEADERS });
  return { response: { statusCode: ERRORS[code].status, statusDescription, headers }, error, code };
}

/** Headers as CloudFront Functions have them: names in lower case. */
function viewerHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, { readonly value: string }>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]));
}
