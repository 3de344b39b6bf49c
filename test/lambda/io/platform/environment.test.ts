import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../../../../lambda/io/platform/environment.ts';

// A function of the service gets its settings as environment variables, which are texts.
// `readEnvironment` parses those of a function, here `get-order-book`.

/** Its variables, all well formed. */
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

  it.each([
    { name: 'REQUESTS_PER_MINUTE', text: 'off', value: 'off' },
    { name: 'FRONT_DOOR', text: 'off', value: false },
    { name: 'CLOB_URL', text: 'http://127.0.0.1:4000/clob/', value: 'http://127.0.0.1:4000/clob' },
  ] as const)('parses $text as $value for $name', ({ name, text, value }) => {
    expect(readEnvironment('get-order-book', { ...BOOKS, [name]: text })[name]).toBe(value);
  });

  it.each([
    { name: 'REQUESTS_PER_MINUTE', text: '0' },
    { name: 'REQUESTS_PER_MINUTE', text: '1.5' },
    { name: 'REQUESTS_PER_MINUTE', text: '' },
    { name: 'FRONT_DOOR', text: 'true' },
    { name: 'PUBLIC_API_KEY_IDS', text: ',' },
    { name: 'CLOB_URL', text: 'clob.example' },
    { name: 'RATE_LIMIT_TABLE', text: '' },
    { name: 'RATE_LIMIT_TABLE', text: undefined },
  ])('throws an error with the name of the variable for $name=$text', ({ name, text }) => {
    expect(() => readEnvironment('get-order-book', { ...BOOKS, [name]: text })).toThrow(name);
  });
});
