// `parseParameters` turns the query and the path of a request into the values of its route's
// parameters. It returns defaults for absent ones, and throws an error with the rule for a wrong
// value.

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

/** The error that these parameters cause. @throws Error if they are accepted */
function rejection(
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

describe('parseParameters returns', () => {
  it('the defaults of parameters that were not sent', () => {
    expect(parseParameters('list-markets', null)).toEqual({ limit: 500, offset: 0 });
  });

  it('a list from repeated parameters and from commas', () => {
    const query = { ids: ['0xab', 'some-slug,17'] };
    const ids = ['0xab', 'some-slug', '17'];
    expect(parseParameters('list-markets', query)).toMatchObject({ ids });
  });

  it.each<[route: RouteName, alias: string]>([
    ['get-prices-history', 'market'],
    ['get-order-book', 'clobTokenId'],
  ])('the token of %s under its alias %s', (route, name) => {
    expect(parseParameters(route, { [name]: ['007'] })).toMatchObject({ token_id: '7' });
  });

  it('the maximum in place of a higher limit', () => {
    const query = { q: ['btc'], limit: ['51'] };
    expect(parseParameters('search-markets', query)).toMatchObject({ limit: 50 });
  });

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
    // A "+" that is not encoded arrives as a blank.
    ['endsBefore', ' 24h', { kind: 'after', milliseconds: 86_400_000 }],
    ['endsAfter', '1970-01-02', { kind: 'at', time: 86_400_000 }],
  ])('the value of %s=%s', (name, text, value) => {
    expect(parseParameters('list-markets', { [name]: [text] })).toMatchObject({ [name]: value });
  });

  it.each([
    ['1795000000', 1_795_000_000],
    ['0', 0],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['2026-11-20', 1_795_132_800],
    ['2026-11-20T00:00:01.999Z', 1_795_132_801],
    // A "+" that is not encoded arrives as a blank.
    ['2026-11-20T01:00:00 01:00', 1_795_132_800],
  ])('the Unix seconds of the timestamp %s', (text, seconds) => {
    const query = { token_id: ['7'], startTs: [text] };
    expect(parseParameters('get-prices-history', query)).toMatchObject({ startTs: seconds });
  });

  it.each(['a b', 'é', '👩🏽‍💻', '100%', '#?&=', '__proto__'])(
    'the decoded segment of the path: %s',
    (text) => {
      const path = { id: encodeURIComponent(text) };
      expect(parseParameters('get-market', null, path).id).toBe(text);
    },
  );

  it('a segment of the path as it is if it cannot be decoded', () => {
    expect(parseParameters('get-market', null, { id: '100%' }).id).toBe('100%');
  });

  it('the segment of the path, not a query parameter of this name', () => {
    expect(parseParameters('get-market', { id: ['query'] }, { id: 'path' }).id).toBe('path');
  });
});

describe('the longest value', () => {
  // Lengths count characters. The texts have one, three and four bytes for each character.
  it.each<[route: RouteName, name: string, length: number]>([
    ['search-markets', 'q', 200],
    // One entry of the list.
    ['list-markets', 'ids', 500],
  ])(
    'that %s accepts for %s has %i characters in any script [sentence 23]',
    (route, name, length) => {
      for (const character of ['x', '日', '😀']) {
        // A search needs one letter.
        const longest = `x${character.repeat(length - 1)}`;
        expect(() => parseParameters(route, { [name]: [longest] })).not.toThrow();
        const { code } = rejection(route, { [name]: [`${longest}x`] });
        expect(code).toBe('invalid_parameter');
      }
    },
  );

  it.each<[route: RouteName, name: string, length: number]>([
    ['list-markets', 'ids', 100],
    ['list-order-books', 'token_id', 20],
  ])('that %s accepts for %s has %i entries [sentence 23]', (route, name, length) => {
    const entries = Array.from({ length }, (_, n) => n);
    expect(() => parseParameters(route, { [name]: [entries.join()] })).not.toThrow();
    const { code } = rejection(route, { [name]: [[...entries, length].join()] });
    expect(code).toBe('invalid_parameter');
  });
});

describe('parseParameters rejects', () => {
  const INTEGER = 'must be a decimal integer of at least 1, for example ';
  const NUMBER = 'must be a decimal number of at least 0, for example ';
  const PERCENT = 'must be a decimal number from 0 to 100, for example 55.';
  const ENTRIES = 'must be 1 to 100 entries, separated by commas';
  const SNAPSHOT = 'must be a snapshot id from the header X-Snapshot-Id or a Link, for';
  const MOMENT = 'must be a date (YYYY-MM-DD), an RFC 3339 time, or hours or days after';
  const SEARCH = 'must be 2 to 200 characters long, with at least one letter or digit';
  const WHERE =
    '(clobTokenId of the market at /api/markets/{slug or condition id}, or from the tool get_market)';
  const TOKEN = `must be an outcome token ${WHERE}: a decimal number of at most 78 digits that fits in 256 bits`;
  const TOKENS = `must be 1 to 20 outcome tokens ${WHERE}, separated by commas, for example`;

  it.each<[route: RouteName, query: string, rule: string]>([
    ['list-markets', 'limit=0', INTEGER],
    ['list-markets', 'limit= 5', INTEGER],
    ['list-markets', 'limit=1.5', INTEGER],
    ['list-markets', 'limit=1e1', INTEGER],
    ['list-markets', 'limit=1&limit=1', 'must be sent only once, for example '],
    ['list-markets', 'minVolume=-1', NUMBER],
    ['list-markets', 'minVolume=1e999', NUMBER],
    ['list-markets', 'maxProbability=100.0001', PERCENT],
    ['list-markets', 'snapshot=latest', SNAPSHOT],
    ['list-markets', 'sort=relevance', 'must be one of volume, volume24h, liquidity'],
    ['list-markets', 'order=ASC', 'must be one of asc, desc, for example desc.'],
    ['list-markets', 'event=', 'must be 1 to 500 characters long, for example world-cup-winner.'],
    ['list-markets', 'endsBefore=soon', MOMENT],
    ['list-markets', 'tag=a,,b', `${ENTRIES}, for example `],
    ['list-markets', 'fields=id,price', `${ENTRIES}, each one of default`],
    ['search-markets', 'q=a', SEARCH],
    ['search-markets', 'q=?! …', SEARCH],
    ['get-order-book', `token_id=${2n ** 256n}`, TOKEN],
    ['get-order-book', 'token_id=0x1', TOKEN],
    ['list-order-books', 'token_id=1,x', TOKENS],
  ])('for %s the query %s', (route, query, rule) => {
    const sent = new URLSearchParams(query);
    const [name = ''] = sent.keys();
    const { code, message } = rejection(route, { [name]: sent.getAll(name) });
    expect(code).toBe('invalid_parameter');
    expect(message).toContain(`The parameter ${name} ${rule}`);
  });

  it.each(['-1', '1.5', '1969-12-31', '2026-11-31', '2026-11-20T00:00:00', 'yesterday', '+1d', ''])(
    'the timestamp %j',
    (text) => {
      const query = { token_id: ['7'], startTs: [text] };
      expect(rejection('get-prices-history', query).message).toMatch(
        /^The parameter startTs must be Unix seconds, a date \(YYYY-MM-DD\) or an RFC 3339 time/,
      );
    },
  );

  it('a parameter under its name and an alias', () => {
    const query = { token_id: ['1'], tokenId: ['1'] };
    expect(rejection('get-order-book', query).message).toContain('token_id must be sent only once');
  });

  it('a request without a required parameter', () => {
    expect(rejection('get-order-book', null)).toMatchObject({
      code: 'missing_parameter',
      message: expect.stringMatching(
        /^The parameter token_id is required: an outcome token \(clobTokenId .*\): .* 256 bits\.$/,
      ),
    });
  });

  it('a missing segment of the path, even with a query parameter of this name', () => {
    expect(rejection('get-market', { id: ['will-it'] }).code).toBe('missing_parameter');
  });

  it('an empty segment of the path', () => {
    expect(rejection('get-market', null, { id: '' }).code).toBe('invalid_parameter');
  });

  it('any query with a ServiceError or not at all', () => {
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

// Links repeat the query of a request by them.
it.each<[route: RouteName, query: Query, sent: object]>([
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
