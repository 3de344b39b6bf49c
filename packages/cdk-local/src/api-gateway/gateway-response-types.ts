/**
 * The responses that API Gateway makes by itself, with its own status codes and sentences (developer guide,
 * "Gateway response types"; the sentences and error types as it sends them).
 */
export const GATEWAY_RESPONSE_TYPES = {
  ACCESS_DENIED: { status: 403, message: 'Access Denied', errorType: 'AccessDeniedException' },
  API_CONFIGURATION_ERROR: {
    status: 500,
    message: 'Internal server error',
    errorType: 'InternalServerErrorException',
  },
  AUTHORIZER_CONFIGURATION_ERROR: {
    status: 500,
    message: null,
    errorType: 'AuthorizerConfigurationException',
  },
  AUTHORIZER_FAILURE: { status: 500, message: null, errorType: 'AuthorizerConfigurationException' },
  BAD_REQUEST_BODY: { status: 400, message: 'Invalid request body', errorType: 'BadRequestException' },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    message: 'Missing required request parameters',
    errorType: 'BadRequestException',
  },
  EXPIRED_TOKEN: {
    status: 403,
    message: 'The security token included in the request is expired',
    errorType: 'ExpiredTokenException',
  },
  INTEGRATION_FAILURE: {
    status: 504,
    message: 'Network error communicating with endpoint',
    errorType: 'InternalServerErrorException',
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    message: 'Endpoint request timed out',
    errorType: 'InternalServerErrorException',
  },
  INVALID_API_KEY: { status: 403, message: 'Forbidden', errorType: 'ForbiddenException' },
  INVALID_SIGNATURE: {
    status: 403,
    message: 'The request signature is not valid',
    errorType: 'InvalidSignatureException',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    message: 'Missing Authentication Token',
    errorType: 'MissingAuthenticationTokenException',
  },
  QUOTA_EXCEEDED: { status: 429, message: 'Limit Exceeded', errorType: 'LimitExceededException' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long', errorType: 'RequestTooLargeException' },
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not found', errorType: 'NotFoundException' },
  THROTTLED: { status: 429, message: 'Too Many Requests', errorType: 'TooManyRequestsException' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized', errorType: 'UnauthorizedException' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Unsupported Media Type',
    errorType: 'BadRequestException',
  },
  WAF_FILTERED: { status: 403, message: 'Forbidden', errorType: 'ForbiddenException' },
  /** A Lambda that failed, or one that returned what is not a proxy response: no type of its own. */
  DEFAULT_5XX: { status: 502, message: 'Internal server error', errorType: 'InternalServerErrorException' },
  DEFAULT_4XX: { status: 400, message: 'Bad Request', errorType: 'BadRequestException' },
} as const satisfies Record<string, { status: number; message: string | null; errorType: string }>;

export type GatewayResponseType = keyof typeof GATEWAY_RESPONSE_TYPES;

export function isGatewayResponseType(name: string): name is GatewayResponseType {
  return name in GATEWAY_RESPONSE_TYPES;
}
