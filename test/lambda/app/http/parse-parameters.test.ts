import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type PathSegments,
  parseParameters,
  type Query,
  sentParameters,
} from '../../../../lambda/app/http/parse-parameters.ts';
import { ROUTES, type Route, type RouteName } from '../../../../lambda/core/contract/route-table.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';

function refusal(route: RouteName, query: Query, path: PathSegments = null): { code: string; message: string } {
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
  const LIST = {
    limit: ['007'],
    offset: ['0'],
    snapshot: ['20261121T120000000Z-9f86d081'],
    sort: ['move1d'],
    minVolume: ['1000.50'],
    maxProbability: ['100'],
    event: ['x'],
    fields: ['id,all'],
    ids: ['0xab', 'some-slug,17'],
    endsBefore: [' 24h'],
    endsAfter: ['1970-01-02'],
    utm_source: ['x'],
  };

  it('parameters of every kind, ignores unknown ones, and applies the defaults', () => {
    expect(parseParameters('list-markets', LIST)).toEqual({
      limit: 7,
      offset: 0,
      snapshot: LIST.snapshot[0],
      sort: 'move1d',
      minVolume: 1_000.5,
      maxProbability: 100,
      event: 'x',
      fields: ['id', 'all'],
      ids: ['0xab', 'some-slug', '17'],
      endsBefore: { kind: 'after', milliseconds: 86_400_000 },
      endsAfter: { kind: 'at', time: 86_400_000 },
    });
    expect(parseParameters('list-markets', null)).toEqual({ limit: 500, offset: 0 });
    expect(parseParameters('get-prices-history', { market: ['1'] })).toMatchObject({ token_id: '1' });
  });

  it.each<[RouteName, string, string, unknown]>([
    ['list-markets', 'limit', '99999999999999999999999', Number.MAX_SAFE_INTEGER],
    ['list-markets', 'minVolume', '0', 0],
    ['list-markets', 'minVolume', '25e-1', 2.5],
    ['list-markets', 'ids', numbered(100).join(','), numbered(100)],
    ['list-markets', 'ids', 'x'.repeat(500), ['x'.repeat(500)]],
    ['search-markets', 'limit', '50', 50],
    ['search-markets', 'limit', '51', 50],
    ['get-order-book', 'token_id', '007', '7'],
    ['get-order-book', 'token_id', String(2n ** 256n - 1n), String(2n ** 256n - 1n)],
    ['list-order-books', 'token_id', '1,2', ['1', '2']],
    ['search-markets', 'q', '日本', '日本'],
    ['search-markets', 'q', '٣&', '٣&'],
    ['search-markets', 'q', `${'😀'.repeat(199)}x`, `${'😀'.repeat(199)}x`],
  ])('for %s the %s %j as %j', (route, name, sent, value) => {
    expect(parseParameters(route, { q: ['btc'], [name]: [sent] })).toHaveProperty(name, value);
  });

  it.each(['_', 't', 'v', 'ts', 'cb', 'utm_source', 'id', 'idss', 'tags', 'lmti', 'ordr[]', 'page', 'minVol', 'slugs'])(
    'any request with the unknown parameter %s',
    (name) => {
      const query = { [name]: ['1'] };
      expect(() => parseParameters('list-markets', query)).not.toThrow();
      expect(() => parseParameters('search-markets', { q: ['btc'], ...query })).not.toThrow();
      expect(() => parseParameters('get-event', query, { slug: 'x' })).not.toThrow();
      expect(() => parseParameters('get-order-book', { token_id: ['1'], ...query })).not.toThrow();
    },
  );

  it('every name of every route, also where it is nearly another one', () => {
    for (const [route, { parameters }] of Object.entries<Route>(ROUTES)) {
      const names = Object.entries(parameters).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
      for (const name of names) {
        const parse = () => parseParameters(route as RouteName, { [name]: ['1'] });
        expect(parse).not.toThrow(expect.objectContaining({ code: 'unknown_parameter' }));
      }
    }
  });

  it.each([
    ['caf%C3%A9', 'café'],
    ['100%25', '100%'],
    ['100%', '100%'],
  ])('a segment of the path, and decodes it: %s', (sent, id) => {
    expect(parseParameters('get-market', { id: ['ignored'] }, { id: sent }).id).toBe(id);
  });
});

const INTEGER = 'must be a decimal integer of at least 1, for example ';
const NUMBER = 'must be a decimal number of at least 0, for example ';
const QUERY = 'must be 2 to 200 characters long, with at least one letter or digit';
const WHERE = '(clobTokenId of the market at /api/markets/{slug or condition id}, or from the tool get_market)';
const TOKEN = `must be an outcome token ${WHERE}: a decimal number of at most 78 digits that fits in 256 bits`;
const TOKENS = `must be 1 to 20 outcome tokens ${WHERE}, separated by commas, for example`;

describe('parseParameters rejects', () => {
  it.each<[RouteName, string, readonly string[], string]>([
    ['list-markets', 'limit', ['0'], INTEGER],
    ['list-markets', 'limit', ['1.5'], INTEGER],
    ['list-markets', 'limit', [' 5'], INTEGER],
    ['list-markets', 'limit', [''], INTEGER],
    ['list-markets', 'limit', ['1', '1'], 'must be sent only once, for example '],
    ['list-markets', 'offset', ['-1'], 'must be a decimal integer of at least 0'],
    ['list-markets', 'snapshot', ['latest'], 'must be a snapshot id from the header X-Snapshot-Id or a Link, for'],
    ['list-markets', 'sort', ['relevance'], 'must be one of volume, volume24h, liquidity'],
    ['list-markets', 'order', ['ASC'], 'must be one of asc, desc, for example desc.'],
    ['list-markets', 'minVolume', ['-1'], NUMBER],
    ['list-markets', 'minVolume', ['1e999'], NUMBER],
    ['list-markets', 'minVolume', [''], NUMBER],
    ['list-markets', 'maxProbability', ['101'], 'must be a decimal number from 0 to 100, for example 55.'],
    ['list-markets', 'event', [''], 'must be 1 to 500 characters long, for example world-cup-winner.'],
    ['list-markets', 'event', ['x'.repeat(501)], 'must be 1 to 500 characters long'],
    ['list-markets', 'endsBefore', ['soon'], 'must be a date (YYYY-MM-DD), an RFC 3339 time, or hours or days after'],
    ['list-markets', 'ids', [numbered(101).join()], 'must be 1 to 100 entries, separated by commas, for example will'],
    ['list-markets', 'ids', ['x'.repeat(501)], 'must be 1 to 100 entries'],
    ['list-markets', 'tag', ['a,,b'], 'must be 1 to 100 entries'],
    [
      'list-markets',
      'fields',
      ['id,price'],
      'must be 1 to 100 entries, separated by commas, each one of default, all,',
    ],
    ['search-markets', 'q', ['a'], QUERY],
    ['search-markets', 'q', [`${'😀'.repeat(200)}x`], QUERY],
    ['search-markets', 'q', ['?! …'], QUERY],
    ['get-order-book', 'token_id', [String(2n ** 256n)], TOKEN],
    ['get-order-book', 'token_id', ['0x1'], TOKEN],
    ['list-order-books', 'token_id', ['1,x'], TOKENS],
    ['list-order-books', 'token_id', [numbered(21).join(',')], TOKENS],
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

  it.each<[RouteName, string, string]>([
    ['list-markets', 'minvolume', 'minVolume'],
    ['list-markets', 'min_volume', 'minVolume'],
    ['list-markets', 'minVolume24', 'minVolume24h'],
    ['list-markets', 'minVolme24', 'minVolume24h'],
    ['list-markets', 'LIMIT', 'limit'],
    ['list-markets', 'IDS', 'ids'],
    ['list-markets', 'ids[]', 'ids'],
    ['list-markets', 'Tag[]', 'tag'],
    ['list-markets', 'limt', 'limit'],
    ['list-markets', 'ctegry', 'category'],
    ['list-markets', 'sorts', 'sort'],
    ['search-markets', 'Q', 'q'],
    ['get-order-book', 'tokenid', 'tokenId'],
    ['get-event', 'field', 'fields'],
    ['get-prices-history', 'start_ts', 'startTs'],
    ['get-prices-history', 'end_ts', 'endTs'],
  ])('for %s the unknown parameter %s, which is nearly %s', (route, sent, meant) => {
    expect(refusal(route, { [sent]: ['1'] })).toMatchObject({
      code: 'unknown_parameter',
      message: `This endpoint has no parameter ${sent}: did you mean ${meant}?`,
    });
  });

  it('for a search the parameter query, which other services have', () => {
    const message = 'This endpoint has no parameter query: did you mean q?';
    expect(refusal('search-markets', { query: ['bitcoin'] })).toMatchObject({ code: 'unknown_parameter', message });
  });

  it.each(['startTs', 'endTs'])('the window of several histories: %s', (name) => {
    expect(refusal('get-prices-histories', { token_id: ['1'], [name]: ['1795000000'] })).toMatchObject({
      code: 'unknown_parameter',
      message: `This endpoint has no parameter ${name}: use interval, or read the window of each token at /api/clob/prices-history.`,
    });
  });

  it('nothing with another error than a ServiceError', () => {
    const routes = Object.keys(ROUTES) as RouteName[];
    const names = routes.flatMap((route) => Object.keys(ROUTES[route].parameters));
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '1', ','));
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
  ['list-markets', { endsBefore: [' 24h'], x: ['x'], tag: ['a,b', 'c'] }, { endsBefore: ' 24h', tag: 'a,b,c' }],
  ['get-prices-history', { tokenId: ['7'] }, { tokenId: '7' }],
  ['get-event', { slug: ['x'], fields: ['id'] }, { fields: 'id' }],
])('sentParameters returns the known parameters of the query of %s as they were sent: %j', (route, query, sent) => {
  expect(sentParameters(route, query)).toEqual(sent);
});
