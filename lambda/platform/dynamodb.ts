import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * One client a container. The deadlines are short: DynamoDB responds in milliseconds or not at all, and behind
 * most calls a caller is waiting, who is to have a 502 within the 10 s of a function.
 */
export function dynamoDbClient(maxAttempts = 3): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 1_500, throwOnRequestTimeout: true },
  });
}
