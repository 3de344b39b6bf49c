import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../lambda/io/snapshots/snapshot-items.ts';

/** The input of a put, a get or a query: those have an `Item`, a `Key`, or neither. */
interface Input {
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly ExclusiveStartKey?: Item;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
}

/** Decides what happens to a call: it can wait, fail, or hang before or after its effect. */
export type Interfere = (
  call: () => Promise<unknown>,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/** DynamoDB's limit of the items in one response. */
const MAX_QUERY_BYTES = 1_048_576;

/** The key of an item: its partition `pk`, a text, and its number `n` in the partition. */
const keyOf = ({ pk, n }: Item): string => `${pk?.S} ${n?.N}`;
const numberOf = (value: AttributeValue | undefined): number => Number(value?.N);

/**
 * A table of snapshots without a server, for thousands of writes. It has the conditions and queries
 * of the service. For example, a reader finds what a writer has published, even if each of the
 * writer's calls takes 3 s:
 *
 *     const table = new MemoryTable();
 *     const slow = table.clientWith(async (call) => {
 *       await sleep(clock, 3_000);
 *       return await call();
 *     });
 *     await new SnapshotWriter({ client: slow, table: 'any', … }).publish(snapshot, deadline);
 *     await new SnapshotReader({ client: table.client, table: 'any' }).latest(); // its manifest
 */
export class MemoryTable {
  readonly items = new Map<string, Item>();
  /** Called before each query. */
  onQuery: () => void = () => undefined;
  /** Called before each read of one item. */
  onGet: () => void = () => undefined;

  /** For the constructors that take a client. */
  get client(): DynamoDBClient {
    return this.clientWith((call) => call());
  }

  clientWith(interfere: Interfere): DynamoDBClient {
    const send = (
      { input }: { input: Input },
      { abortSignal }: { abortSignal?: AbortSignal } = {},
    ) => interfere(async () => this.#apply(input), abortSignal);
    return { send } as unknown as DynamoDBClient;
  }

  #apply(input: Input) {
    if (input.Item) return this.#put(input.Item, input);
    if (input.Key) {
      this.onGet();
      return { Item: this.items.get(keyOf(input.Key)) };
    }
    this.onQuery();
    return this.#query(input);
  }

  #put(
    item: Item,
    { ConditionExpression: condition, ExpressionAttributeValues: values = {} }: Input,
  ) {
    const stored = this.items.get(keyOf(item));
    if (condition && !holds(condition, stored, values)) {
      throw Object.assign(new Error('The condition does not hold'), {
        name: 'ConditionalCheckFailedException',
      });
    }
    this.items.set(keyOf(item), item);
    return {};
  }

  /** One page of the items of a partition whose number lies between `:from` and `:to`. */
  #query(input: Input) {
    const found = this.#itemsFor(input);
    const items = found.slice(0, Math.min(input.Limit ?? found.length, countThatFits(found)));
    const last = items.at(-1);
    const isCut = last && items.length < found.length;
    return { Items: items, ...(isCut && { LastEvaluatedKey: { pk: last.pk, n: last.n } }) };
  }

  /** All items that a query finds after its start key, in its direction. */
  #itemsFor(input: Input): Item[] {
    const { ExpressionAttributeValues: values = {}, ExclusiveStartKey: start } = input;
    const [from, to] = [numberOf(values[':from']), numberOf(values[':to'])];
    const direction = input.ScanIndexForward === false ? -1 : 1;
    return [...this.items.values()]
      .filter(({ pk }) => pk?.S === values[':partition']?.S)
      .filter(({ n }) => numberOf(n) >= from && numberOf(n) <= to)
      .filter(({ n }) => !start || direction * (numberOf(n) - numberOf(start.n)) > 0)
      .sort((a, b) => direction * (numberOf(a.n) - numberOf(b.n)));
  }
}

/** How many items one response holds. DynamoDB includes the item that exceeds the limit. */
function countThatFits(items: readonly Item[]): number {
  let bytes = 0;
  let count = 0;
  for (const { data } of items) {
    if (bytes > MAX_QUERY_BYTES) break;
    bytes += data?.B?.length ?? 0;
    count += 1;
  }
  return count;
}

/** Evaluates a condition of the service, such as `a < :a OR (b = :b AND c < :c)`. */
function holds(condition: string, stored: Item | undefined, values: Item): boolean {
  const alternatives = condition.split(' OR ').map((part) => part.replace(/^\((.+)\)$/, '$1'));
  return alternatives.some((comparisons) =>
    comparisons.split(' AND ').every((comparison) => isTrue(comparison, stored, values)),
  );
}

/** Evaluates a comparison such as `a <= :a` of two texts or two numbers. */
function isTrue(comparison: string, stored: Item | undefined, values: Item): boolean {
  if (comparison === 'attribute_not_exists(pk)') return stored === undefined;
  const [, name = '', operator, value = ''] = /^(\w+) (<|<=|=|>) (:\w+)$/.exec(comparison) ?? [];
  if (!operator) throw new Error(`The memory table does not know the condition ${comparison}`);
  const left = plainValue(stored?.[name]);
  const right = plainValue(values[value]);
  if (left === undefined || right === undefined || typeof left !== typeof right) return false;
  if (operator === '=') return left === right;
  if (operator === '>') return left > right;
  return left < right || (operator === '<=' && left === right);
}

/** The number or the text that an attribute holds. */
function plainValue(attribute: AttributeValue | undefined): number | string | undefined {
  if (attribute === undefined) return undefined;
  return attribute.N === undefined ? (attribute.S ?? '') : Number(attribute.N);
}
