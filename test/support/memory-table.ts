import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../lambda/io/snapshots/snapshot-items.ts';

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

  #query({
    ExpressionAttributeValues: values,
    ScanIndexForward,
    ExclusiveStartKey: start,
    Limit,
  }: Input) {
    const [from, to] = [numberOf(values?.[':from']), numberOf(values?.[':to'])];
    const direction = ScanIndexForward === false ? -1 : 1;
    const found = [...this.items.values()]
      .filter(
        ({ pk, n }) =>
          pk?.S === values?.[':partition']?.S && numberOf(n) >= from && numberOf(n) <= to,
      )
      .sort((a, b) => direction * (numberOf(a.n) - numberOf(b.n)))
      .filter(({ n }) => !start || direction * (numberOf(n) - numberOf(start.n)) > 0);
    let bytes = 0;
    // DynamoDB includes the item that exceeds the limit.
    const exceeding = found.findIndex((item) => {
      bytes += item.data?.B?.length ?? 0;
      return bytes > MAX_QUERY_BYTES;
    });
    const count = Math.min(Limit ?? found.length, exceeding === -1 ? found.length : exceeding + 1);
    const Items = found.slice(0, count);
    const last = Items.at(-1);
    const isCut = last && count < found.length;
    return { Items, ...(isCut && { LastEvaluatedKey: { pk: last.pk, n: last.n } }) };
  }
}

/** Evaluates a condition of the service, such as `a < :a OR (b = :b AND c < :c)`. */
function holds(condition: string, stored: Item | undefined, values: Item): boolean {
  return condition.split(' OR ').some((part) =>
    part
      .replace(/^\((.+ AND .+)\)$/, '$1')
      .split(' AND ')
      .every((comparison) => isTrue(comparison, stored, values)),
  );
}

function isTrue(comparison: string, stored: Item | undefined, values: Item): boolean {
  if (comparison === 'attribute_not_exists(pk)') return stored === undefined;
  const [, name = '', operator, value = ''] = /^(\w+) (<|<=|=|>) (:\w+)$/.exec(comparison) ?? [];
  if (!operator) throw new Error(`The memory table does not know the condition ${comparison}`);
  const [a, b] = [stored?.[name], values[value]];
  if (a === undefined || b === undefined || (a.N === undefined) !== (b.N === undefined))
    return false;
  const [left, right] = b.N === undefined ? [a.S ?? '', b.S ?? ''] : [numberOf(a), numberOf(b)];
  if (operator === '=') return left === right;
  return operator === '>' ? left > right : left < right || (operator === '<=' && left === right);
}
