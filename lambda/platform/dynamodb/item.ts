import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item in DynamoDB's own form: each attribute with its kind. */
export type Item = Record<string, AttributeValue>;
