import type { Item } from './item.ts';

/** What DynamoDB calls more calls than it takes. */
const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** DynamoDB refuses a call; `name` is its own word for it. */
export class DynamoDbError extends Error {
  override readonly name: string;
  /** Of HTTP. */
  readonly status: number;

  constructor(name: string, status: number, message: string) {
    super(message);
    this.name = name;
    this.status = status;
  }

  /** Whether later, the same call goes well. */
  get throttled(): boolean {
    return THROTTLED.has(this.name);
  }
}

/** A write whose condition did not hold. */
export class ConditionFailedError extends DynamoDbError {
  /** The item that stands in its way, where the write has asked for it. */
  readonly item: Item | undefined;

  constructor(message: string, item?: Item) {
    super(CONDITION_FAILED, 400, message);
    this.item = item;
  }
}

export const CONDITION_FAILED = 'ConditionalCheckFailedException';
