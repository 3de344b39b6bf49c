import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareDecimals, isDecimal, isPrice } from '../../../../lambda/domain/decimal.ts';

describe('a decimal', () => {
  const most = '9'.repeat(100);

  it.each([
    '0',
    '1',
    '0.5',
    '0.500',
    '.5',
    '.25',
    '007',
    '35510.21',
    '0.9995',
    most,
    `${most}.${most}`,
    `.${most}`,
  ])('is %s', (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '5.',
    '.',
    '-1',
    '+1',
    '1e3',
    '0x1',
    'NaN',
    'Infinity',
    '1,5',
    '١',
    `${most}9`,
    `0.${most}9`,
    `.${most}9`,
    0.5,
    null,
    undefined,
  ])('is not %p', (value) => {
    expect(isDecimal(value)).toBe(false);
  });
});

describe('a price', () => {
  it.each(['0', '.5', '0.0025', '1', '1.000'])('is %s', (text) => {
    expect(isPrice(text)).toBe(true);
  });

  it.each(['1.01', '17', '-0.5', '1e-3', '', 0.5, true])('is not %p', (value) => {
    expect(isPrice(value)).toBe(false);
  });
});

describe('comparing decimals', () => {
  it.each([
    ['0.5', '0.500', 0],
    ['.5', '0.50', 0],
    ['.45', '0.5', -1],
    ['0', '0.000', 0],
    ['007', '7.0', 0],
    ['0.1', '0.09', 1],
    ['9', '10', -1],
    ['0.45', '0.5', -1],
    ['0.51', '0.5', 1],
    ['100', '99.999', 1],
    ['0.1000000000000000000000001', '0.1', 1],
    ['12345678901234567890.1', '12345678901234567890.2', -1],
  ])('%s and %s', (a, b, expected) => {
    expect(Math.sign(compareDecimals(a, b))).toBe(expected);
    expect(Math.sign(compareDecimals(b, a))).toBe(expected === 0 ? 0 : -expected);
  });

  it('agrees with exact arithmetic', () => {
    const decimal = fc.stringMatching(/^([0-9]{1,25}(\.[0-9]{1,25})?|\.[0-9]{1,25})$/);
    const scaled = (text: string) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(25, '0'));
    };
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [x, y] = [scaled(a), scaled(b)];
        expect(Math.sign(compareDecimals(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
