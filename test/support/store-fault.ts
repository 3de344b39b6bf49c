/** A request to DynamoDB as the faults see it. */
export type StoreStep =
  | 'read pointer'
  | 'read chunk'
  | 'write pointer'
  | 'write chunk'
  | 'read base'
  | 'write base'
  | 'read memory'
  | 'write memory'
  /** Anything else: the rate-limit table. */
  | 'other';

/** What DynamoDB, or the way to it, does to a request. */
export type StoreTrouble =
  /** Responds with a throttling error. */
  | 'throttles'
  /** Refuses connections, from this request on and until the fault is cleared. */
  | 'refuses'
  /** Responds late, by `ms`. */
  | 'is slow'
  /** Holds the request back and does nothing with it until the fault is cleared. */
  | 'hangs'
  /** Does what is asked, and holds the response back. */
  | 'does not confirm';

export interface StoreFault {
  readonly step: StoreStep;
  readonly trouble: StoreTrouble;
  /** Requests it acts on. @default until cleared */
  readonly times?: number;
  /** Requests of this step that it lets pass first. @default 0 */
  readonly after?: number;
  readonly ms?: number;
}

const OPERATIONS: Readonly<Record<string, 'read' | 'write'>> = { GetItem: 'read', PutItem: 'write' };

/** @param target the `X-Amz-Target` header @param body the request in DynamoDB's JSON */
export function storeStep(target: string, body: string): StoreStep {
  const operation = OPERATIONS[target.split('.')[1] ?? ''];
  const { Key, Item } = JSON.parse(body) as Record<'Key' | 'Item', Keyed | undefined>;
  return operation === undefined ? 'other' : stepOf(operation, Key ?? Item);
}

interface Keyed {
  readonly pk?: { readonly S?: string };
}

export function stepOf(operation: 'read' | 'write', item: object | undefined): StoreStep {
  const partition = (item as Keyed | undefined)?.pk?.S ?? '';
  if (partition === 'LATEST') return `${operation} pointer`;
  if (partition.startsWith('BASE#')) return `${operation} base`;
  if (partition.startsWith('MEMORY')) return `${operation} memory`;
  return partition.startsWith('SNAPSHOT#') ? `${operation} chunk` : 'other';
}
