import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ROUTES, type RouteName } from '../../../lambda/core/contract/route-table.ts';
import { ServiceError } from '../../../lambda/core/domain/service-error.ts';
import {
  type PathSegments,
  parseParameters,
  type Query,
  sentParameters,
} from '../../../lambda/http/parse-parameters.ts';

function refusal(
  route: RouteName,
  query: Query,
  path: PathSegments = null,
): { code: string; message: string } {
  try {
    parseParameters(route, query, path);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The parameters were accepted');
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe('parseParameters accepts', () => {
  it('no parameters, several values of a list, and other names of a parameter', () => {
    expect(parseParameters('list-markets', null)).toEqual({ limit: 500, offset: 0 });
    const ids = ['0xab', 'some-slug,17'];
    expect(parseParameters('list-markets', { ids })).toMatchObject({
      ids: ['0xab', 'some-slug', '17'],
    });
    expect(parseParameters('get-prices-history', { market: ['007'] })).toMatchObject({
      token_id: '7',
    });
    expect(parseParameters('get-order-book', { clobTokenId: ['007'] })).toMatchObject({
      token_id: '7',
    });
    expect(parseParameters('search-markets', { q: ['btc'], limit: ['51'] })).toMatchObject({
      limit: 50,
    });
  });

  it.each([
    ['1795000000', 1_795_000_000],
    ['0', 0],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['2026-11-20', 1_795_132_800],
    ['2026-11-20T00:00:01.999Z', 1_795_132_801],
    ['2026-11-20T01:00:00+01:00', 1_795_132_800],
    ['2026-11-20T01:00:00 01:00', 1_795_132_800],
  ])('a timestamp in Unix seconds or as a time: %s', (text, seconds) => {
    const sent = { token_id: ['7'], startTs: [text] };
    expect(parseParameters('get-prices-history', sent)).toMatchObject({ startTs: seconds });
  });

  it.each(['-1', '1.5', '1969-12-31', '2026-11-31', '2026-11-20T00:00:00', 'yesterday', '+1d', ''])(
    'no other timestamp: %j',
    (text) => {
      const { message } = refusal('get-prices-history', { token_id: ['7'], startTs: [text] });
      expect(message).toMatch(
        /^The parameter startTs must be Unix seconds, a date \(YYYY-MM-DD\) or an RFC 3339 time/,
      );
    },
  );

  it.each([
    ['minVolume', '0', 0],
    ['minVolume', '1e-7', 1e-7],
    ['minVolume', '25e-1', 2.5],
    ['minVolume', '2.5E3', 2_500],
    ['maxProbability', '100', 100],
    ['limit', '1', 1],
    ['limit', '007', 7],
    ['limit', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['snapshot', '20261121T120000000Z-9f86d081', '20261121T120000000Z-9f86d081'],
    ['sort', 'move1d', 'move1d'],
    ['fields', 'id,all', ['id', 'all']],
    ['endsBefore', ' 24h', { kind: 'after', milliseconds: 86_400_000 }],
    ['endsAfter', '1970-01-02', { kind: 'at', time: 86_400_000 }],
  ])('the parameter %s=%s', (name, text, value) => {
    expect(parseParameters('list-markets', { [name]: [text] })).toMatchObject({ [name]: value });
  });

  it.each(['x', '日', '😀'])(
    'texts and lists within their lengths, in characters [sentence 23]',
    (one) => {
      const lengths: readonly [RouteName, string, (more: number) => string][] = [
        ['search-markets', 'q', (more) => `${one.repeat(199 + more)}x`],
        ['list-markets', 'ids', (more) => `a,${one.repeat(500 + more)}`],
        ['list-markets', 'ids', (more) => numbered(100 + more).join()],
        ['list-order-books', 'token_id', (more) => numbered(20 + more).join()],
      ];
      for (const [route, name, text] of lengths) {
        expect(() => parseParameters(route, { [name]: [text(0)] })).not.toThrow();
        expect(refusal(route, { [name]: [text(1)] }).code).toBe('invalid_parameter');
      }
    },
  );

  it.each(['a b', 'é', '👩🏽‍💻', '100%', '#?&=', '__proto__'])(
    'a segment of the path, and decodes it: %s',
    (text) => {
      const path = { id: encodeURIComponent(text) };
      expect(parseParameters('get-market', { id: ['ignored'] }, path).id).toBe(text);
      expect(parseParameters('get-market', null, { id: '100%' }).id).toBe('100%');
    },
  );
});

const INTEGER = 'must be a decimal integer of at least 1, for example ';
const NUMBER = 'must be a decimal number of at least 0, for example ';
const QUERY = 'must be 2 to 200 characters long, with at least one letter or digit';
const WHERE =
  '(clobTokenId of the market at /api/markets/{slug or condition id}, or from the tool get_market)';
const TOKEN = `must be an outcome token ${WHERE}: a decimal number of at most 78 digits that fits in 256 bits`;
const TOKENS = `must be 1 to 20 outcome tokens ${WHERE}, separated by commas, for example`;

describe('parseParameters rejects', () => {
  it.each<[RouteName, string, readonly string[], string]>([
    ['list-markets', 'limit', ['0'], INTEGER],
    ['list-markets', 'limit', [' 5'], INTEGER],
    ['list-markets', 'limit', ['1.5'], INTEGER],
    ['list-markets', 'limit', ['1e1'], INTEGER],
    ['list-markets', 'minVolume', ['-1'], NUMBER],
    ['list-markets', 'limit', ['1', '1'], 'must be sent only once, for example '],
    [
      'list-markets',
      'snapshot',
      ['latest'],
      'must be a snapshot id from the header X-Snapshot-Id or a Link, for',
    ],
    ['list-markets', 'sort', ['relevance'], 'must be one of volume, volume24h, liquidity'],
    ['list-markets', 'order', ['ASC'], 'must be one of asc, desc, for example desc.'],
    ['list-markets', 'minVolume', ['1e999'], NUMBER],
    [
      'list-markets',
      'maxProbability',
      ['100.0001'],
      'must be a decimal number from 0 to 100, for example 55.',
    ],
    [
      'list-markets',
      'event',
      [''],
      'must be 1 to 500 characters long, for example world-cup-winner.',
    ],
    [
      'list-markets',
      'endsBefore',
      ['soon'],
      'must be a date (YYYY-MM-DD), an RFC 3339 time, or hours or days after',
    ],
    [
      'list-markets',
      'tag',
      ['a,,b'],
      'must be 1 to 100 entries, separated by commas, for example ',
    ],
    [
      'list-markets',
      'fields',
      ['id,price'],
      'must be 1 to 100 entries, separated by commas, each one of default',
    ],
    ['search-markets', 'q', ['a'], QUERY],
    ['search-markets', 'q', ['?! …'], QUERY],
    ['get-order-book', 'token_id', [String(2n ** 256n)], TOKEN],
    ['get-order-book', 'token_id', ['0x1'], TOKEN],
    ['list-order-books', 'token_id', ['1,x'], TOKENS],
  ])('for %s the %s %j', (route, name, values, rule) => {
    const { code, message } = refusal(route, { [name]: values });
    expect(code).toBe('invalid_parameter');
    expect(message).toContain(`The parameter ${name} ${rule}`);
  });

  it('a parameter under two of its names', () => {
    const query = { token_id: ['1'], tokenId: ['1'] };
    expect(refusal('get-order-book', query).message).toContain('token_id must be sent only once');
  });

  it('a request without a required parameter', () => {
    expect(refusal('get-order-book', null)).toMatchObject({
      code: 'missing_parameter',
      message: expect.stringMatching(
        /^The parameter token_id is required: an outcome token \(clobTokenId .*\): .* 256 bits\.$/,
      ),
    });
    expect(refusal('get-market', { id: ['will-it'] }).code).toBe('missing_parameter');
    expect(refusal('get-market', null, { id: '' }).code).toBe('invalid_parameter');
  });

  it('nothing with another error than a ServiceError', () => {
    const routes = Object.keys(ROUTES) as RouteName[];
    const names = routes.flatMap((route) => Object.keys(ROUTES[route].parameters));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', '1', ','),
    );
    const query = fc.dictionary(fc.constantFrom(...names), fc.array(text, { maxLength: 2 }));
    fc.assert(
      fc.property(fc.constantFrom(...routes), query, (route, values) => {
        try {
          parseParameters(route, values, { id: values.id?.[0], slug: values.slug?.[0] });
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});

it.each<[RouteName, Query, object]>([
  ['list-markets', null, {}],
  [
    'list-markets',
    { endsBefore: [' 24h'], x: ['x'], tag: ['a,b', 'c'] },
    { endsBefore: ' 24h', tag: 'a,b,c' },
  ],
  ['get-prices-history', { tokenId: ['7'] }, { tokenId: '7' }],
  ['get-event', { slug: ['x'], fields: ['id'] }, { fields: 'id' }],
])(
  'sentParameters returns the known parameters of the query of %s as they were sent: %j',
  (route, query, sent) => {
    expect(sentParameters(route, query)).toEqual(sent);
  },
);
