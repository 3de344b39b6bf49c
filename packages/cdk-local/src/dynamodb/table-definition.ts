import type {
  AttributeDefinition,
  CreateTableCommandInput,
  KeySchemaElement,
  Projection,
} from '@aws-sdk/client-dynamodb';
import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Resource, Stack } from '../template/stack.ts';

/** A table of the stack, as the call that creates it. `input` can be sent to another thread. */
export interface TableDefinition {
  readonly id: string;
  readonly name: string;
  readonly input: CreateTableCommandInput;
}

/** Every AWS::DynamoDB::Table and GlobalTable of the stack. Capacity and TTL have no meaning here. */
export function defineTables(stack: Stack): TableDefinition[] {
  return stack
    .resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')
    .map((resource) => defineTable(resource, stack.ref(resource.id)));
}

function defineTable({ id, properties }: Resource, name: string): TableDefinition {
  const globalIndexes = properties.objects('GlobalSecondaryIndexes').map(indexOf);
  const localIndexes = properties.objects('LocalSecondaryIndexes').map(indexOf);
  return {
    id,
    name,
    input: {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: properties.objects('AttributeDefinitions').map(attributeOf),
      KeySchema: keySchemaOf(properties),
      ...(globalIndexes.length > 0 ? { GlobalSecondaryIndexes: globalIndexes } : {}),
      ...(localIndexes.length > 0 ? { LocalSecondaryIndexes: localIndexes } : {}),
    },
  };
}

function attributeOf(attribute: Properties): AttributeDefinition {
  const type = attribute.string('AttributeType');
  if (type !== 'S' && type !== 'N' && type !== 'B') {
    throw new TemplateError(`${attribute.where('AttributeType')}: there is no key type ${type}`);
  }
  return { AttributeName: attribute.string('AttributeName'), AttributeType: type };
}

function keySchemaOf(properties: Properties): KeySchemaElement[] {
  return properties.objects('KeySchema').map((key) => ({
    AttributeName: key.string('AttributeName'),
    KeyType: key.string('KeyType') === 'HASH' ? 'HASH' : 'RANGE',
  }));
}

function indexOf(index: Properties): {
  IndexName: string;
  KeySchema: KeySchemaElement[];
  Projection: Projection;
} {
  const projection = index.json('Projection');
  return {
    IndexName: index.string('IndexName'),
    KeySchema: keySchemaOf(index),
    Projection: (projection ?? { ProjectionType: 'ALL' }) as Projection,
  };
}
