import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../../../../lambda/io/platform/environment.ts';

/** The variables of `get-order-book`, all well formed. */
const BOOKS = {
  RATE_LIMIT_TABLE: 'limits',
  REQUESTS_PER_MINUTE: '60',
  RATE_LIMIT_TIMEOUT_MS: '2000',
  FRONT_DOOR: 'on',
  PUBLIC_API_KEY_IDS: 'first,second',
  CLOB_URL: 'https://clob.example/',
};

describe('readEnvironment', () => {
  it('parses the variables of a function, and ignores others', () => {
    expect(readEnvironment('get-order-book', { ...BOOKS, HOME: '/root' })).toEqual({
      RATE_LIMIT_TABLE: 'limits',
      REQUESTS_PER_MINUTE: 60,
      RATE_LIMIT_TIMEOUT_MS: 2_000,
      FRONT_DOOR: true,
      PUBLIC_API_KEY_IDS: ['first', 'second'],
      CLOB_URL: 'https://clob.example',
    });
  });

  it('accepts a limit that is off, and a path in an address', () => {
    const source = {
      ...BOOKS,
      REQUESTS_PER_MINUTE: 'off',
      FRONT_DOOR: 'off',
      CLOB_URL: 'http://127.0.0.1:4000/clob/',
    };
    const expected = {
      REQUESTS_PER_MINUTE: 'off',
      FRONT_DOOR: false,
      CLOB_URL: 'http://127.0.0.1:4000/clob',
    };
    expect(readEnvironment('get-order-book', source)).toMatchObject(expected);
  });

  it.each([
    ['REQUESTS_PER_MINUTE', '0'],
    ['REQUESTS_PER_MINUTE', '1.5'],
    ['REQUESTS_PER_MINUTE', ''],
    ['FRONT_DOOR', 'true'],
    ['PUBLIC_API_KEY_IDS', ','],
    ['CLOB_URL', 'clob.example'],
    ['RATE_LIMIT_TABLE', ''],
    ['RATE_LIMIT_TABLE', undefined],
  ])('names a variable that is missing or malformed: %s=%s', (name, value) => {
    expect(() => readEnvironment('get-order-book', { ...BOOKS, [name]: value })).toThrow(name);
  });
});
