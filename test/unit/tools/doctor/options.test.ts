import { describe, expect, it } from '@jest/globals';
import { readOptions } from '../../../../tools/doctor/options.ts';

const REAL = {
  gamma: 'https://gamma-api.polymarket.com',
  clob: 'https://clob.polymarket.com',
  data: 'https://data-api.polymarket.com',
};

describe('the options of the doctor', () => {
  it.each([
    ['', { urls: REAL, json: false }],
    ['--json', { urls: REAL, json: true }],
    ['--clob-url http://127.0.0.1:1/', { urls: { ...REAL, clob: 'http://127.0.0.1:1' }, json: false }],
    [
      '--gamma-url http://a --clob-url http://b --data-url http://c',
      { urls: { gamma: 'http://a', clob: 'http://b', data: 'http://c' }, json: false },
    ],
    ['--help', 'help'],
  ])('%j', (line, options) => {
    expect(readOptions(line.split(' ').filter(Boolean))).toEqual(options);
  });

  it.each(['--gamma-url ftp://a', '--clob-url nonsense', '--what', 'http://a'])('refuse %s', (line) => {
    expect(() => readOptions(line.split(' '))).toThrow();
  });
});
