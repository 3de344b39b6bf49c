import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * One client a container. The deadlines are short: DynamoDB answers in milliseconds or not at all, and behind
 * most calls a caller is waiting.
 */
export function dynamoDbClient(): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
}
