import { describe, expect, it } from '@jest/globals';
import { excessOf } from '../../../../lambda/http-client/json-bounds.ts';

const MOST_VALUES = 500_000;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('JSON is parsed', () => {
  it.each([
    ['that is empty', ''],
    ['of one value', '7'],
    ['that is 64 levels deep', nested(64)],
    ['of many lists, none of them deep', `[${'[],'.repeat(1_000)}[]]`],
    ['of 500,000 values', `[${'0,'.repeat(MOST_VALUES - 1)}0]`],
    ['whose texts hold brackets and commas', JSON.stringify([nested(1_000), ','.repeat(MOST_VALUES)])],
    ['whose texts hold quotes', JSON.stringify([`"${nested(1_000)}"`, `\\"${nested(1_000)}\\`, '\\'])],
    ['that ends within a text', `["${nested(1_000)}`],
    ['that ends within an escape', `["${nested(1_000)}\\"`],
  ])('%s', (_, json) => {
    expect(excessOf(json)).toBeUndefined();
  });
});

describe('JSON is not parsed', () => {
  it.each([
    ['that is 65 levels deep', nested(65), 'wrong_shape'],
    ['that is 65 levels deep in objects', '{"a":'.repeat(65), 'wrong_shape'],
    ['that is deep after a text', `["\\\\",${nested(64)}]`, 'wrong_shape'],
    ['of 500,001 numbers', `[${'0,'.repeat(MOST_VALUES)}0]`, 'too_large'],
    ['of 250,001 empty objects', `[${'{},'.repeat(MOST_VALUES / 2)}{}]`, 'too_large'],
    ['of 500,001 empty lists side by side', '[]'.repeat(MOST_VALUES + 1), 'too_large'],
  ])('%s', (_, json, failure) => {
    expect(excessOf(json)).toBe(failure);
  });
});
