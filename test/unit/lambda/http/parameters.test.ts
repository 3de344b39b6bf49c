import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES, type RouteName } from '../../../../lambda/contract/routes.ts';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { parseParameters, type Query } from '../../../../lambda/http/parameters.ts';

const TOKEN = '98022490269692409998126496127597032490334070080325855126491859374983463996227';

function refusal(route: RouteName, query: Query): { code: string; message: string } {
  try {
    parseParameters(route, query);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('Not refused');
}

describe('parameters', () => {
  it('have the defaults of the table', () => {
    expect(parseParameters('list-markets', null)).toEqual({ limit: 500, offset: 0, snapshot: undefined });
    expect(parseParameters('search-markets', { q: ['btc'] })).toEqual({ q: 'btc', limit: 20 });
    expect(parseParameters('get-prices-history', { token_id: [TOKEN] })).toEqual({
      token_id: TOKEN,
      interval: '1d',
      fidelity: undefined,
    });
  });

  it.each([
    [{ limit: ['1'] }, { limit: 1 }],
    [{ limit: ['007'] }, { limit: 7 }],
    [{ limit: ['99999999999999999999999'] }, { limit: Number.MAX_SAFE_INTEGER }],
    [{ offset: ['0'] }, { offset: 0 }],
    [{ snapshot: ['20261121T120000000Z-9f86d081'] }, { snapshot: '20261121T120000000Z-9f86d081' }],
    [{ utm_source: ['x'], limit: ['2'] }, { limit: 2 }],
  ])('of the list are parsed: %j', (query, expected) => {
    expect(parseParameters('list-markets', query)).toMatchObject(expected);
  });

  it.each([
    { limit: ['0'] },
    { limit: ['-1'] },
    { limit: ['1.5'] },
    { limit: ['1e3'] },
    { limit: ['0x10'] },
    { limit: [' 5'] },
    { limit: ['five'] },
    { limit: [''] },
    { limit: ['٣'] },
    { limit: ['1', '2'] },
    { limit: ['1', '1'] },
    { offset: ['-1'] },
    { offset: [''] },
    { snapshot: ['latest'] },
    { snapshot: [''] },
  ])('of the list are refused by name: %j', (query) => {
    const [name] = Object.keys(query);
    expect(refusal('list-markets', query)).toMatchObject({
      code: 'invalid_parameter',
      message: expect.stringContaining(`parameter ${name} must be`),
    });
  });

  it.each([
    ['ab', true],
    ['a', false],
    ['', false],
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    ['😀'.repeat(200), true],
    ['&=', true], // measured as sent; that nothing is left to search for is for the endpoint to say
  ])('q is 2 to 200 characters as sent: %s', (q, good) => {
    if (good) expect(parseParameters('search-markets', { q: [q] }).q).toBe(q);
    else expect(refusal('search-markets', { q: [q] }).code).toBe('invalid_parameter');
  });

  it('required ones are asked for', () => {
    expect(refusal('search-markets', {})).toMatchObject({
      code: 'missing_parameter',
      message: 'The parameter q is required: 2 to 200 characters long.',
    });
    expect(refusal('get-order-book', null).code).toBe('missing_parameter');
  });

  it('a limit above the ceiling is lowered to it', () => {
    expect(parseParameters('search-markets', { q: ['btc'], limit: ['51'] }).limit).toBe(50);
  });

  it.each(['token_id', 'tokenId', 'market'])('the token of a history may be called %s', (name) => {
    expect(parseParameters('get-prices-history', { [name]: [TOKEN] }).token_id).toBe(TOKEN);
  });

  it('a parameter under two of its names is refused', () => {
    expect(refusal('get-order-book', { token_id: [TOKEN], tokenId: [TOKEN] }).code).toBe('invalid_parameter');
  });

  it.each([
    ['1', true],
    ['0', true],
    [String(2n ** 256n - 1n), true],
    [String(2n ** 256n), false],
    ['1'.repeat(79), false],
    ['0x1', false],
    ['-1', false],
    ['1.0', false],
    ['../book', false],
  ])('a token is a number of 256 bits: %s', (token, good) => {
    if (good) expect(parseParameters('get-order-book', { token_id: [token] }).token_id).toBe(token);
    else expect(refusal('get-order-book', { token_id: [token] }).code).toBe('invalid_parameter');
  });

  it.each(['2d', '1D', 'max', ''])('an interval of %p is refused with those allowed', (interval) => {
    expect(refusal('get-prices-history', { token_id: ['1'], interval: [interval] }).message).toContain(
      '1d, 1w, 1m, 3m',
    );
  });

  it('never fail in another way than by a refusal', () => {
    const routes = Object.keys(ROUTES) as RouteName[];
    const names = routes.flatMap((route) => Object.keys(ROUTES[route].parameters));
    const query = fc.dictionary(
      fc.constantFrom(...names),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...routes), query, (route, values) => {
        try {
          parseParameters(route, values);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});
