import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../../tools/openapi/document.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
type Content = Readonly<Record<string, Media>>;
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly schema: object; readonly example?: unknown }[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const text = JSON.stringify(openApiDocument());
const document: Document = JSON.parse(text);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Validates against a schema that may refer to the schemas of the document. */
function errorsOf(schema: object, value: unknown): unknown {
  const valid = ajv.validate({ ...schema, components: document.components }, value);
  return valid ? [] : ajv.errors;
}

describe('the API document', () => {
  it('is the committed one, from which clients are generated', () => {
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(document);
  });

  it('lets callers without a key call every operation', () => {
    expect(document.security).toContainEqual({});
    expect(text.match(/"security":/g)).toHaveLength(1);
  });
});

describe('the examples of the API document', () => {
  const named = (prefix: string, content: Content = {}) =>
    Object.entries(content).map(([type, media]) => [`${prefix} ${type}`, media] as const);
  const media = operations.flatMap(({ path, operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) => named(`${path} ${status}`, content)),
  );
  const withExample = media.filter(([, { example }]) => example !== undefined);

  it('exist for the successful response of each operation', () => {
    const shown = new Set(withExample.map(([name]) => name.split(' ').slice(0, 2).join(' ')));
    expect(operations.filter(({ path }) => !shown.has(`${path} 200`))).toEqual([]);
  });

  it.each(withExample)('of %s are valid', (_, { schema, example }) => {
    expect(errorsOf(schema, example)).toEqual([]);
  });

  it.each(operations.filter(({ operation }) => operation.parameters.length > 0))(
    'of the parameters of $method $path are valid',
    ({ operation }) => {
      for (const { name, schema, example } of operation.parameters.filter((one) => 'example' in one)) {
        expect([name, errorsOf(schema, example)]).toEqual([name, []]);
      }
    },
  );
});

describe('what tools of other people need of the API document', () => {
  it('is a description of each operation, and one of the two groups', () => {
    for (const { operation } of operations) {
      expect([operation.operationId, operation.description]).toEqual([operation.operationId, expect.any(String)]);
      expect(operation.tags).toEqual([expect.stringMatching(/^(core|more)$/)]);
    }
    const core = operations.flatMap(({ path, operation }) => (operation.tags[0] === 'core' ? [path] : []));
    const asked = ['/api/markets', '/api/markets/search', '/api/clob/order-book', '/api/clob/prices-history'];
    expect(core).toEqual(asked);
  });

  it('is no control character and no character beyond the basic plane', () => {
    expect(text).not.toMatch(/[^\x20-\uD7FF\uE000-\uFFFD]|\\u00[01]/u);
  });

  it('is patterns of ASCII without Unicode escapes, which JavaScript, Python, Java and Go read alike', () => {
    const patterns = [...new Set(text.match(/(?<="pattern":)"(?:[^"\\]|\\.)*"/g))].map((one): string =>
      JSON.parse(one),
    );
    expect(patterns.length).toBeGreaterThan(5);
    for (const pattern of patterns) {
      expect(pattern).toMatch(/^[\x20-\x7e]+$/);
      expect(pattern).not.toMatch(/\\[upP]|\(\?/);
      expect(new RegExp(pattern).source).toBe(new RegExp(pattern, 'u').source);
    }
  });

  it('is no type that allows nothing but null', () => {
    expect(text).not.toMatch(/"type":"null"(?!\})/);
  });
});
