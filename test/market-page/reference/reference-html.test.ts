import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type {
  ApiDocument,
  Schema,
} from '../../../packages/market-page/src/reference/api-document.ts';
import { referenceHtml } from '../../../packages/market-page/src/reference/reference-html.ts';
import { fieldRows } from '../../../packages/market-page/src/reference/rows.ts';
import { requestUrl } from '../../../packages/market-page/src/reference/samples.ts';
import { typeInWords } from '../../../packages/market-page/src/reference/words.ts';

// `/docs` is the API reference: one HTML page that `referenceHtml` makes of docs/openapi.json.

const document: ApiDocument = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const html = referenceHtml(document, '');
/** The text of HTML, without its tags. */
const plain = (text: string) => text.replace(/<[^>]+>/g, '');
/** The HTML of the element with this name and id. */
const elementOf = (name: 'article' | 'section', id: string) =>
  new RegExp(`<${name} id="${id}".*?</${name}>`, 's').exec(html)?.[0] ?? '';

// The document may use a new keyword of OpenAPI. The reference must not omit it silently.
describe('a keyword of the API document that the reference does not show', () => {
  const { components, paths } = document;
  const path = paths['/api/markets'];
  const withPath = (changed: object) => ({
    ...document,
    paths: { ...paths, '/api/markets': changed },
  });
  const schemas = { ...components.schemas, Other: { items: { not: { type: 'string' } } } };
  it.each([
    {
      keyword: 'requestBody',
      unknown: withPath({ ...path, get: { ...path?.get, requestBody: {} } }),
    },
    { keyword: 'post', unknown: withPath({ ...path, post: path?.get }) },
    { keyword: 'not', unknown: { ...document, components: { ...components, schemas } } },
  ])('fails the build: $keyword', ({ keyword, unknown }) => {
    expect(() => referenceHtml(unknown as ApiDocument, '')).toThrow(`keyword ${keyword}`);
  });
});

describe('a type in words', () => {
  const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  it.each<{ schema: Schema; words: string }>([
    { schema: { type: 'integer', minimum: 1 }, words: 'whole number from 1' },
    {
      schema: { type: ['number', 'null'], minimum: -100, maximum: 100 },
      words: 'number from −100 to 100, or null',
    },
    {
      schema: { type: 'string', minLength: 2, maxLength: 200 },
      words: 'text (2 to 200 characters)',
    },
    { schema: { type: 'string', minLength: 1 }, words: 'text' },
    { schema: { type: 'string', format: 'date' }, words: 'date' },
    {
      schema: { type: ['string', 'null'], format: 'date-time' },
      words: 'time (ISO 8601) or null',
    },
    {
      schema: { type: 'array', maxItems: 20, items: refTo('TokenId') },
      words: 'list (at most 20 values) of TokenId',
    },
    {
      schema: { anyOf: [refTo('Market'), refTo('MarketSelection')] },
      words: 'Market or MarketSelection',
    },
    { schema: { type: 'string', enum: ['asc', 'desc'] }, words: 'asc or desc' },
    { schema: { type: 'string', enum: [...'abcdefghi'] }, words: 'one of 9 values' },
    {
      schema: { type: 'object', additionalProperties: { type: 'boolean' } },
      words: 'object of true or false by key',
    },
  ])('$words', ({ schema, words }) => {
    expect(plain(typeInWords(schema))).toBe(words);
  });

  it('has a link to an object', () => {
    const link = '<a href="#Market">Market</a>';
    expect(typeInWords(refTo('Market'))).toBe(link);
  });

  it('shows the pattern of a text under the pointer', () => {
    expect(typeInWords({ type: 'string', pattern: '^"<0>$' })).toBe(
      '<span title="^&quot;&lt;0&gt;$">text</span>',
    );
  });
});

describe('the reference', () => {
  it('has a section for each endpoint, the core first', () => {
    const operations = Object.values(document.paths).map(({ get }) => get);
    const core = operations.filter(({ tags }) => tags.includes('core'));
    const sections = [...html.matchAll(/<article id="(\w+)" aria/g)].map(([, id]) => id);
    expect(sections).toHaveLength(operations.length);
    expect(sections.slice(0, core.length)).toEqual(core.map(({ operationId }) => operationId));
  });

  it('has a place for each of its links', () => {
    const links = Array.from(html.matchAll(/href="#(\w+)"/g), ([, id]) => `id="${id}"`);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !html.includes(link))).toEqual([]);
  });

  it('shows the parameters that a request needs, and folds the others', () => {
    const search = elementOf('article', 'searchMarkets');
    const [shown = '', folded = ''] = search.split(/<details><summary>\d+ more parameters/);
    expect([...shown.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)).toEqual(['q', 'limit']);
    expect(folded).toMatch(/ name="offset".* name="format"/s);
  });

  it('explains each error code once for each endpoint', () => {
    const common = elementOf('section', 'errors');
    expect(common).toContain('data-error="429 rate_limited"');
    expect(common).toContain('data-error="500 internal_error"');
    const list = elementOf('article', 'listMarkets');
    expect(list).toContain('data-error="410 snapshot_gone"');
    expect(list).not.toContain('data-error="429');
  });

  it('links to documents of the repository if it knows the address', () => {
    expect(html).not.toContain('docs/api.md#cookbook');
    const address = 'https://github.com/acme/proxy';
    expect(referenceHtml(document, address)).toContain(
      `<a href="${address}/blob/HEAD/docs/api.md#cookbook">`,
    );
  });

  it('writes only the difference of an object that repeats another', () => {
    const text = { type: 'string' };
    const objectOf = (properties: Readonly<Record<string, { type: string }>>) => {
      return { type: 'object', required: [...'abcdef'], properties };
    };
    const First = objectOf({ a: text, b: text, c: text, d: text, e: text, f: text });
    // Without a, with another b, and with g.
    const number = { type: 'number' };
    const Second = objectOf({ b: number, c: text, d: text, e: text, f: text, g: text });
    const shown = plain(fieldRows(Second, { First, Second }));
    expect(shown).toMatch(/^The fields of First without a\. /);
    expect(shown).toContain('b number');
    expect(shown).toContain('g text');
    expect(shown).not.toContain('c text');
  });
});

describe('the address of a sample', () => {
  it('fills the path, leaves out what is empty, and separates lists by commas', () => {
    const values = [
      ['id', 'a/b'],
      ['limit', '3'],
      ['sort', ''],
      ['ids', "it's,x y"],
    ] as const;
    expect(requestUrl('http://h', '/api/{id}', values)).toBe(
      'http://h/api/a%2Fb?limit=3&ids=it%27s,x%20y',
    );
  });
});
