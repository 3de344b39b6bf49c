import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  readError,
  readItem,
  toWire,
  type WireResponse,
} from '../../../../../lambda/platform/dynamodb/wire.ts';

const bytes = fc.uint8Array({ maxLength: 20 }).map((value) => Buffer.from(value));
/** Names that are also kinds: an attribute may be called anything. */
const name = fc.constantFrom('B', 'L', 'M', 'S', 'data');

const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string().map((S): AttributeValue => ({ S })),
    fc.integer().map((number): AttributeValue => ({ N: String(number) })),
    fc.boolean().map((BOOL): AttributeValue => ({ BOOL })),
    bytes.map((B): AttributeValue => ({ B })),
    fc.array(bytes, { maxLength: 3 }).map((BS): AttributeValue => ({ BS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L): AttributeValue => ({ L })),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }).map((M): AttributeValue => ({ M: { ...M } })),
  ),
}));

it('items come back as they went, through JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value), (item) => {
      const sent = JSON.parse(JSON.stringify(toWire(item))) as NonNullable<WireResponse['Item']>;
      expect(readItem(sent)).toEqual({ ...item });
    }),
  );
});

describe('an error', () => {
  it.each([
    [
      '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow"}',
      'ThrottlingException',
      'slow',
    ],
    [
      '{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"}',
      'AccessDeniedException',
      'no',
    ],
    ['{"__type":"Bare"}', 'Bare', 'DynamoDB responded with 400'],
    ['<html>', 'UnknownError', 'DynamoDB responded with 400'],
    ['null', 'UnknownError', 'DynamoDB responded with 400'],
  ])('is read from %s', (text, expected, message) => {
    expect(readError(400, text)).toMatchObject({ name: expected, message, status: 400 });
  });
});
