import {
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { PREFLIGHT_HEADERS } from '../../lambda/contract/headers.ts';

/**
 * Responds to preflights where they arrive. They bear no key of a caller's, so behind the front door they would be
 * paid for, and taken from the public plan of all anonymous callers.
 */
export function preflightAtEdge(scope: Construct, id: string): FunctionAssociation {
  const response = {
    statusCode: 204,
    statusDescription: 'No Content',
    headers: Object.fromEntries(
      Object.entries(PREFLIGHT_HEADERS).map(([name, value]) => [name.toLowerCase(), { value }]),
    ),
  };
  return {
    eventType: FunctionEventType.VIEWER_REQUEST,
    function: new EdgeFunction(scope, id, {
      runtime: FunctionRuntime.JS_2_0,
      comment: 'Responds to preflights',
      code: FunctionCode.fromInline(
        `var response = ${JSON.stringify(response)};\n` +
          'function handler(event) {\n' +
          "  return event.request.method === 'OPTIONS' ? response : event.request;\n" +
          '}\n',
      ),
    }),
  };
}
