import type { AttributeValue, GetItemCommandInput, PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { DynamoDb } from '../../lambda/platform/dynamodb/client.ts';
import { ConditionFailedError } from '../../lambda/platform/dynamodb/dynamodb-error.ts';
import type { Item } from '../../lambda/platform/dynamodb/item.ts';
import { SNAPSHOT_KEYS } from '../../lambda/snapshots/dynamodb-items.ts';
import { type StoreStep, stepOf } from './store-fault.ts';

type Values = Readonly<Record<string, AttributeValue>>;

const number = (value: AttributeValue | undefined): number => Number(value?.N);

/** The conditions that the service writes on, each as DynamoDB judges it. */
const CONDITIONS: Readonly<Record<string, (old: Item | undefined, values: Values) => boolean>> = {
  'attribute_not_exists(pk)': (old) => old === undefined,
  'attribute_not_exists(revision) OR revision = :before': (old, values) =>
    old?.revision === undefined || number(old.revision) === number(values[':before']),
  'snapshotId = :id': (old, values) => old?.snapshotId?.S === values[':id']?.S,
  'attribute_not_exists(asOf) OR asOf <= :asOf OR asOf > :future': (old, values) =>
    old?.asOf === undefined ||
    number(old.asOf) <= number(values[':asOf']) ||
    number(old.asOf) > number(values[':future']),
};

export interface MemoryTableOptions {
  /** Told of each request before it is done; it may take its time, hang or throw. */
  readonly before?: (step: StoreStep) => Promise<void>;
  /** Told of each write that was done. */
  readonly written?: (step: StoreStep) => void;
}

/** A snapshot table in memory, behind the client that the store's own code talks to. It counts units as AWS bills them. */
export class MemoryTable {
  readonly items = new Map<string, Item>();
  readonly table = 'memory';
  readUnits = 0;
  writeUnits = 0;
  readonly #options: MemoryTableOptions;

  constructor(options: MemoryTableOptions = {}) {
    this.#options = options;
  }

  get client(): DynamoDb {
    return {
      get: (input) => this.#get(input),
      put: (input) => this.#put(input),
      update: () => Promise.reject(new Error('The table in memory knows get and put only')),
    };
  }

  async close(): Promise<void> {}

  /** Removes an item behind everybody's back, as its expiry does. */
  drop(key: Item): void {
    this.items.delete(keyOf(key));
  }

  async #get(input: GetItemCommandInput): Promise<Item | undefined> {
    await this.#options.before?.(stepOf('read', input.Key));
    const item = this.items.get(keyOf(input.Key));
    this.readUnits += Math.max(1, Math.ceil(sizeOf(item) / 4_096)) * (input.ConsistentRead ? 1 : 0.5);
    return item;
  }

  async #put(input: PutItemCommandInput): Promise<void> {
    const step = stepOf('write', input.Item);
    await this.#options.before?.(step);
    const key = keyOf(input.Item);
    this.writeUnits += Math.max(1, Math.ceil(sizeOf(input.Item) / 1_024));
    const { ConditionExpression: expression, ExpressionAttributeValues: values = {} } = input;
    if (expression !== undefined) {
      const holds = CONDITIONS[expression];
      if (!holds) throw new Error(`The table in memory does not know the condition ${expression}`);
      if (!holds(this.items.get(key), values)) {
        throw new ConditionFailedError('The condition does not hold');
      }
    }
    this.items.set(key, input.Item ?? {});
    this.#options.written?.(step);
  }
}

function keyOf(item: Item | undefined): string {
  return `${item?.[SNAPSHOT_KEYS.partition]?.S} ${item?.[SNAPSHOT_KEYS.sort]?.N}`;
}

/** Bytes of names and values, as AWS counts them or nearly so. */
function sizeOf(item: Item | undefined): number {
  return Object.entries(item ?? {}).reduce((sum, [name, value]) => sum + name.length + valueSize(value), 0);
}

function valueSize({ S, N, B }: AttributeValue): number {
  return S === undefined ? (B?.length ?? Math.ceil((N?.length ?? 0) / 2) + 1) : Buffer.byteLength(S);
}
