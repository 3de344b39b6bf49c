import { expect, it } from '@jest/globals';
import { endpointOf } from '../../../../../lambda/platform/dynamodb/create-client.ts';

it.each([
  [{ AWS_REGION: 'eu-west-1' }, 'https://dynamodb.eu-west-1.amazonaws.com'],
  [{ AWS_REGION: 'cn-north-1' }, 'https://dynamodb.cn-north-1.amazonaws.com.cn'],
  [{ AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL: 'http://all' }, 'http://all'],
  [{ AWS_ENDPOINT_URL: 'http://all', AWS_ENDPOINT_URL_DYNAMODB: 'http://this' }, 'http://this'],
])('%j is served by %s', (environment, endpoint) => {
  expect(endpointOf(environment)).toBe(endpoint);
});
