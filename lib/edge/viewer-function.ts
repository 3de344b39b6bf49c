import { Stack } from 'aws-cdk-lib';
import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { PREFLIGHT_HEADERS } from '../../lambda/contract/headers.ts';

/**
 * The function that CloudFront runs for each request of a viewer. It responds to preflights, and it sets `x-viewer-ip` to
 * the viewer's address. It overwrites what the viewer sent, so that the API can trust the header beside the public key.
 */
export function createViewerFunction(scope: Construct, id: string): EdgeFunction {
  const { stackName, region } = Stack.of(scope);
  return new EdgeFunction(scope, id, {
    // The name that the CDK would make is the same for all stages of a region.
    functionName: `${stackName}-viewer-${region}`,
    comment: 'Responds to preflights and passes on the address of the viewer',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(viewerFunctionCode()),
  });
}

function viewerFunctionCode(): string {
  const headers = Object.entries(PREFLIGHT_HEADERS).map(([name, value]) => [name.toLowerCase(), { value }]);
  const preflight = {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: Object.fromEntries(headers),
  };
  return `var preflight = ${JSON.stringify(preflight)};
function handler(event) {
  var request = event.request;
  if (request.method === 'OPTIONS') return preflight;
  request.headers['x-viewer-ip'] = { value: event.viewer.ip };
  return request;
}
`;
}
