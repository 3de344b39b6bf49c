import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES, type RouteName } from '../../../../lambda/contract/routes.ts';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { parseParameters, type Query, sentParameters } from '../../../../lambda/http/parameters.ts';
import { anyText } from '../../../support/any-text.ts';

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
    expect(parseParameters('search-markets', { q: ['btc'] })).toEqual({ q: 'btc', limit: 20, offset: 0 });
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
    [`${'😀'.repeat(199)}x`, true],
    [`${'😀'.repeat(200)}x`, false],
    ['😀😀', false],
    ['&=', false],
    ['?! …', false],
    ['。！', false],
    ['日本', true],
    ['º!', true], // a letter to some regular expressions and none to others
    ['Ⅷ.', false], // a letter-like symbol in a block of symbols
    ['٣٤', true],
  ])('q is 2 to 200 characters as sent with a letter or a digit: %s', (q, good) => {
    if (good) expect(parseParameters('search-markets', { q: [q] }).q).toBe(q);
    else expect(refusal('search-markets', { q: [q] }).code).toBe('invalid_parameter');
  });

  it('required ones are asked for', () => {
    expect(refusal('search-markets', {})).toMatchObject({
      code: 'missing_parameter',
      message: expect.stringContaining(
        'The parameter q is required: 2 to 200 characters long, with a letter',
      ),
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

  it.each([
    [
      { sort: ['move1d'], order: ['asc'] },
      { sort: 'move1d', order: 'asc' },
    ],
    [{ minVolume: ['1000.50'] }, { minVolume: 1_000.5 }],
    [{ minVolume: ['1e5'] }, { minVolume: 100_000 }],
    [{ fields: ['id,all'] }, { fields: ['id', 'all'] }],
    [{ ids: ['0xab,some-slug,17'] }, { ids: ['0xab', 'some-slug', '17'] }],
    [{ ids: ['0xab', 'some-slug,17'] }, { ids: ['0xab', 'some-slug', '17'] }],
    [{ endsBefore: [' 24h'] }, { endsBefore: { kind: 'after', milliseconds: 86_400_000 } }],
    [{ endsAfter: ['1970-01-02'] }, { endsAfter: { kind: 'at', time: 86_400_000 } }],
  ])('of a query over markets are parsed: %j', (query, expected) => {
    expect(parseParameters('list-markets', query)).toMatchObject(expected);
  });

  it.each([
    [{ sort: ['price'] }, 'volume24h'],
    [{ sort: ['relevance'] }, 'one of volume,'], // only where something was searched for
    [{ order: ['up'] }, 'asc, desc'],
    [{ category: ['weather'] }, 'election, crypto, sports, economics, tech'],
    [{ fields: ['id,price'] }, 'default, all, id, question'],
    [{ fields: [''] }, 'default, all, id, question'],
    [{ format: ['xml'] }, 'json, csv'],
    [{ minVolume: ['many'] }, 'a decimal number of at least 0'],
    [{ minVolume: ['-1'] }, 'a decimal number of at least 0'],
    [{ minVolume: ['1e999'] }, 'a decimal number of at least 0'],
    [{ minVolume: ['0x10'] }, 'a decimal number of at least 0'],
    [{ minVolume: ['1,000'] }, 'a decimal number of at least 0'],
    [{ minVolume: [''] }, 'a decimal number of at least 0'],
    [{ maxProbability: ['101'] }, 'from 0 to 100'],
    [{ endsBefore: ['soon'] }, 'YYYY-MM-DD'],
    [{ endsBefore: ['2026-02-30'] }, 'YYYY-MM-DD'],
    [{ ids: [Array.from({ length: 101 }, (_, n) => n).join(',')] }, '1 to 100 entries'],
    [{ tag: ['a,,b'] }, '1 to 100 entries'],
  ])('of a query over markets are refused with what is allowed: %j', (query, allowed) => {
    const [name = ''] = Object.keys(query);
    const { code, message } = refusal('list-markets', query);
    expect(code).toBe('invalid_parameter');
    expect(message).toContain(`The parameter ${name} must be`);
    expect(message).toContain(allowed);
  });

  it.each([
    [{ maxProbability: ['0'] }, { maxProbability: 0 }],
    [{ maxProbability: ['100'] }, { maxProbability: 100 }],
    [{ minVolume: ['0'] }, { minVolume: 0 }],
    [{ minVolume: ['2E+3'] }, { minVolume: 2_000 }],
    [{ minVolume: ['25e-1'] }, { minVolume: 2.5 }],
    [{ minVolume: ['1e12'] }, { minVolume: 1e12 }],
    [
      { ids: [Array.from({ length: 100 }, (_, n) => n).join(',')] },
      { ids: Array.from({ length: 100 }, (_, n) => String(n)) },
    ],
    [{ ids: ['x'.repeat(500)] }, { ids: ['x'.repeat(500)] }],
  ])('are taken to the last that is allowed: %j', (query, expected) => {
    expect(parseParameters('list-markets', query)).toMatchObject(expected);
  });

  it('have entries of so many characters, and no more', () => {
    expect(refusal('list-markets', { ids: ['x'.repeat(501)] }).code).toBe('invalid_parameter');
    expect(refusal('list-order-books', { token_id: ['1,x'] }).message).toContain(
      'must be 1 to 20 outcome tokens with commas between, for example',
    );
    expect(parseParameters('list-order-books', { token_id: ['1,2'] }).token_id).toEqual(['1', '2']);
  });

  it.each<[RouteName, Query, string]>([
    [
      'list-markets',
      { limit: ['x'] },
      'The parameter limit must be a decimal integer of at least 1, for example',
    ],
    ['list-markets', { snapshot: ['x'] }, 'must be a snapshot id as found in a Link header, for example'],
    [
      'get-order-book',
      { token_id: ['x'] },
      'must be an outcome token: a decimal number of at most 78 digits that fits in 256 bits, for example',
    ],
    ['list-markets', { ids: [''] }, 'must be 1 to 100 entries with commas between, for example'],
    ['list-markets', { limit: ['1', '2'] }, 'The parameter limit must be given once, for example'],
  ])('are refused in whole sentences: %s %j', (route, query, sentence) => {
    expect(refusal(route, query).message).toContain(sentence);
  });

  it('of the path are decoded, and asked for like any other', () => {
    const of = (path: Record<string, string> | null, query: Query = null) =>
      parseParameters('get-market', query, path).id;
    expect(of({ id: 'will-it' })).toBe('will-it');
    expect(of({ id: 'caf%C3%A9' })).toBe('café');
    expect(of({ id: '100%25' })).toBe('100%');
    expect(of({ id: '100%' })).toBe('100%'); // no percent-encoding
    expect(() => of(null, { id: ['will-it'] })).toThrow('The parameter id is required');
    expect(() => of({})).toThrow('The parameter id is required');
    expect(() => of({ id: '' })).toThrow('The parameter id must be 1 to 500 characters long');
  });

  it('of the path are none of the query', () => {
    expect(sentParameters('get-market', { id: ['x'] })).toEqual({});
    expect(sentParameters('list-markets', null)).toEqual({});
    expect(sentParameters('get-prices-history', { tokenId: ['7'], market: ['8'] })).toEqual({ tokenId: '7' });
  });

  it('are handed on as they were sent, those that the route knows', () => {
    const query = { limit: ['5'], endsBefore: [' 24h'], utm_source: ['x'] };
    expect(sentParameters('list-markets', query)).toEqual({ limit: '5', endsBefore: ' 24h' });
    expect(sentParameters('list-markets', { tag: ['a,b', 'c'] })).toEqual({ tag: 'a,b,c' });
  });

  it('never fail in another way than by a refusal', () => {
    const routes = Object.keys(ROUTES) as RouteName[];
    const names = routes.flatMap((route) => Object.keys(ROUTES[route].parameters));
    const query = fc.dictionary(fc.constantFrom(...names), fc.array(anyText(), { maxLength: 2 }));
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
