import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../tools/openapi/document.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
}
interface Document {
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const text = JSON.stringify(openApiDocument());
const document: Document = JSON.parse(text);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the API document', () => {
  it('lets callers without a key call every operation', () => {
    expect(document.security).toContainEqual({});
    expect(text.match(/"security":/g)).toHaveLength(1);
  });
});

describe('what tools of other people need of the API document', () => {
  it('is a description of each operation, and one of the two groups', () => {
    for (const { operationId, description, tags } of operations) {
      expect([operationId, description]).toEqual([operationId, expect.any(String)]);
      expect(tags).toEqual([expect.stringMatching(/^(core|more)$/)]);
    }
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
