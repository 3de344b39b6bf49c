/** The function that CloudFront runs for each request, before its cache. */
import { Stack } from 'aws-cdk-lib';
import {
  Function as EdgeFunction,
  FunctionCode,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { MAX_BODY_CHARACTERS } from '../../lambda/core/contract/constants.ts';
import { ERRORS } from '../../lambda/core/contract/errors.ts';
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  EDGE_HEADERS,
  ERROR_HEADERS,
  PREFLIGHT_HEADERS,
} from '../../lambda/core/contract/headers.ts';
import {
  ACCEPTS_HTML,
  NOT_FOUND_HTML,
  NOT_FOUND_PAGE_HEADERS,
  SERVED_PATHS,
} from '../../lambda/core/contract/not-found-page.ts';
import { ROUTES } from '../../lambda/core/contract/route-table.ts';
import { allowedMethods, type Route } from '../../lambda/core/contract/route-type.ts';

/** The largest body. UTF-8 has at most four bytes per character; the API counts characters. */
const MAX_BODY_BYTES = 4 * MAX_BODY_CHARACTERS;

/**
 * Creates the function, which does this for each request:
 *
 * - It responds to preflights.
 * - It rejects methods and bodies that no endpoint accepts, because CloudFront charges for each
 *   byte that it sends to the API.
 * - To a browser at a wrong address it sends a page, where the API would respond with JSON.
 * - It reduces `Accept-Encoding` to `gzip` if the caller accepts that. API Gateway compresses only
 *   if it supports the first coding, but Node.js sends `br, gzip, deflate`.
 * - It overwrites the `EDGE_HEADERS`, so that the API can trust them on requests with the public
 *   key: the viewer's address, the viewer's network, by which the rate limit counts, and the
 *   address of the service. The latter has CloudFront's own name, not the viewer's `Host`. So all
 *   viewers share one cached page, and none can write another address into it.
 */
export function createViewerFunction(scope: Construct, id: string): EdgeFunction {
  const { stackName, region } = Stack.of(scope);
  return new EdgeFunction(scope, id, {
    // The CDK's name would be the same for all stages of a region.
    functionName: `${stackName}-viewer-${region}`,
    comment:
      'Responds to preflights and wrong addresses, rejects large bodies, passes on the viewer',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(viewerFunctionCode()),
  });
}

/**
 * The code, in the JavaScript of CloudFront Functions. It has no comments, because CloudFront
 * limits its size.
 */
function viewerFunctionCode(): string {
  return [constants(), rejections(), ACCEPTS_GZIP, NETWORK_OF, handler()].join('');
}

/** The responses of the handler, and in `allowed` the methods of each path that accepts POST. */
function constants(): string {
  const preflight = {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: viewerHeaders(PREFLIGHT_HEADERS),
  };
  const wrongAddress = {
    statusCode: ERRORS.not_found.status,
    statusDescription: 'Not Found',
    headers: viewerHeaders(NOT_FOUND_PAGE_HEADERS),
    body: NOT_FOUND_HTML,
  };
  const postRoutes = Object.values<Route>(ROUTES).filter(({ method }) => method === 'POST');
  const allowed = Object.fromEntries(
    postRoutes.map((route) => [route.path, allowedMethods(route)]),
  );
  return `var preflight = ${JSON.stringify(preflight)};
var wrongAddress = ${JSON.stringify(wrongAddress)};
var allowed = ${JSON.stringify(allowed)};
`;
}

/** `refuse` makes an error response. `refuseMethod` makes that of a wrong method. */
function rejections(): string {
  return `function refuse(event, status, description, code, error) {
  var requestId = event.context.requestId;
  var headers = ${JSON.stringify(viewerHeaders({ ...COMMON_HEADERS, ...ERROR_HEADERS }))};
  headers['x-request-id'] = { value: requestId };
  var body = JSON.stringify({ error: error, code: code, requestId: requestId });
  return { statusCode: status, statusDescription: description, headers: headers, body: body };
}
function refuseMethod(event) {
  var methods = allowed[event.request.uri] || ${JSON.stringify(ALLOWED_METHODS)};
  var error = 'This endpoint does not support ' + event.request.method + '. Use ' + methods[0] + '.';
  var response = refuse(event, ${ERRORS.method_not_allowed.status}, 'Method Not Allowed', 'method_not_allowed', error);
  response.headers.allow = { value: methods.join(', ') };
  return response;
}
`;
}

/** Whether the caller accepts `gzip`. With `q=0`, also written as `q=0.0`, it does not. */
const ACCEPTS_GZIP = `function acceptsGzip(codings) {
  return /(^|,)\\s*gzip\\s*(,|;(?!\\s*q=0(\\.0*)?\\s*(,|$))|$)/i.test(codings);
}
`;

/**
 * `networkOf` returns an IPv4 address as it is, and of an IPv6 address the first 64 bits, such as
 * `2001:db8:0:1::/64`. An IPv4 address that is mapped into IPv6, `::ffff:198.51.100.1` or
 * `::ffff:c633:6401`, is returned as that IPv4 address. `hex` and `bytes` convert its two halves.
 */
const NETWORK_OF = `function hex(high, low) {
  return (256 * high + Number(low)).toString(16);
}
function bytes(group) {
  var value = parseInt(group, 16);
  return (value >> 8) + '.' + (value & 255);
}
function networkOf(ip) {
  var dotted = /^(.*:)?(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)$/.exec(ip);
  if (dotted && !dotted[1]) return ip;
  if (dotted) ip = dotted[1] + hex(dotted[2], dotted[3]) + ':' + hex(dotted[4], dotted[5]);
  var sides = ip.split('::');
  var groups = sides[0] ? sides[0].split(':') : [];
  var last = sides[1] ? sides[1].split(':') : [];
  while (groups.length + last.length < 8) groups.push('0');
  groups = groups.concat(last).map(function (group) { return parseInt(group, 16).toString(16); });
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return bytes(groups[6]) + '.' + bytes(groups[7]);
  return groups.slice(0, 4).join(':') + '::/64';
}
`;

/**
 * Responds to a request, or passes it on with the `EDGE_HEADERS`. A body is too large if its length
 * is not a number, or if a POST does not state it.
 */
function handler(): string {
  const tooLarge = `The body of a POST may have at most ${MAX_BODY_CHARACTERS} characters. Send its length in Content-Length.`;
  return `function handler(event) {
  var request = event.request;
  var method = request.method;
  if (method === 'OPTIONS') return preflight;
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return refuseMethod(event);
  var length = request.headers['content-length'];
  var isTooLarge = length ? !(Number(length.value) <= ${MAX_BODY_BYTES}) : method === 'POST';
  if (isTooLarge) {
    return refuse(event, ${ERRORS.body_too_large.status}, 'Content Too Large', 'body_too_large', '${tooLarge}');
  }
  var accept = request.headers.accept;
  var isBrowser = method === 'GET' && accept && ${ACCEPTS_HTML}.test(accept.value);
  if (isBrowser && !${SERVED_PATHS}.test(request.uri)) return wrongAddress;
  var codings = request.headers['accept-encoding'];
  if (codings && /^\\/(api\\/|mcp$)/.test(request.uri) && acceptsGzip(codings.value)) codings.value = 'gzip';
  request.headers['${EDGE_HEADERS.viewerAddress}'] = { value: event.viewer.ip };
  request.headers['${EDGE_HEADERS.viewerNetwork}'] = { value: networkOf(event.viewer.ip) };
  request.headers['${EDGE_HEADERS.site}'] = { value: 'https://' + event.context.distributionDomainName };
  return request;
}
`;
}

/** Headers in the form of CloudFront Functions, which use lower-case names. */
function viewerHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, { readonly value: string }>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]),
  );
}
