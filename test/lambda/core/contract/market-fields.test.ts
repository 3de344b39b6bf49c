import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  changeSchemasOf,
  isRequired,
  MARKET_FIELDS,
  NULLABLE_FIELDS,
} from '../../../../lambda/core/contract/market-fields.ts';
import { SCHEMAS } from '../../../../lambda/core/contract/schemas.ts';

it('a change can remove each field that a market can lack, whatever its schema is', () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const [name, schema] of Object.entries(changeSchemasOf(MARKET_FIELDS))) {
    const field = MARKET_FIELDS.find((one) => one === name) ?? 'id';
    const acceptsNull = ajv.validate({ ...schema, components: { schemas: SCHEMAS } }, null);
    expect([name, acceptsNull]).toEqual([name, !isRequired(field) || NULLABLE_FIELDS.includes(field)]);
  }
});

it('null means one thing in a change: no field is both optional and nullable', () => {
  expect(NULLABLE_FIELDS.filter((name) => !isRequired(name))).toEqual([]);
});
