import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { CONDITION_FAILED, ConditionFailedError, DynamoDbError } from './dynamodb-error.ts';
import type { Item } from './item.ts';

/** Values as JSON carries them: bytes in base64. */
type WireValue = Readonly<Record<string, unknown>>;

export interface WireResponse {
  readonly Item?: Readonly<Record<string, WireValue>>;
  readonly Attributes?: Readonly<Record<string, WireValue>>;
}

/** An input in DynamoDB's JSON: all bytes in it become base64. */
export function toWire(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toWire(inner)]));
}

/** An item of a response with its bytes as bytes. */
export function readItem(item: WireResponse['Item']): Item | undefined {
  if (item === undefined) return undefined;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, readValue(value)]));
}

function readValue(value: WireValue): AttributeValue {
  const [[kind, inner] = ['NULL', true]] = Object.entries(value);
  switch (kind) {
    case 'B':
      return { B: Buffer.from(inner as string, 'base64') };
    case 'BS':
      return { BS: (inner as string[]).map((bytes) => Buffer.from(bytes, 'base64')) };
    case 'L':
      return { L: (inner as WireValue[]).map(readValue) };
    case 'M':
      return { M: readItem(inner as WireResponse['Item']) ?? {} };
    default:
      return value as unknown as AttributeValue;
  }
}

/** The error that a response other than 200 tells of: JSON with the error's name, or whatever a proxy says. */
export function readError(status: number, text: string): DynamoDbError {
  const { __type: type, message, Message, Item: item } = asRecord(text);
  const name = typeof type === 'string' ? (type.split('#').at(-1) ?? type) : 'UnknownError';
  const sentence = String(message ?? Message ?? `DynamoDB responded with ${status}`);
  return name === CONDITION_FAILED
    ? new ConditionFailedError(sentence, readItem(item as WireResponse['Item']))
    : new DynamoDbError(name, status, sentence);
}

function asRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // no JSON
  }
}
