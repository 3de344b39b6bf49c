/**
 * The API document (OpenAPI) describes the API to tools of other people: generators of clients,
 * mock servers, documentation. These read only a part of what JSON Schema allows.
 */
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../tools/openapi/document.ts';

const text = JSON.stringify(openApiDocument());

describe('the API document', () => {
  it('lets callers without a key call every operation', () => {
    // An empty requirement needs nothing. No operation has another one.
    expect(openApiDocument().security).toContainEqual({});
    expect(text.match(/"security":/g)).toHaveLength(1);
  });

  it('has no control character, and no emoji or other character above U+FFFF', () => {
    expect(text).not.toMatch(/[^\x20-\uD7FF\uE000-\uFFFD]|\\u00[01]/u);
  });

  it('has patterns that JavaScript, Python, Java and Go read alike', () => {
    const quoted = new Set(text.match(/(?<="pattern":)"(?:[^"\\]|\\.)*"/g));
    expect(quoted.size).toBeGreaterThan(5);
    for (const json of quoted) {
      const pattern: string = JSON.parse(json);
      // ASCII, without Unicode escapes and look-arounds.
      expect(pattern).toMatch(/^[\x20-\x7e]+$/);
      expect(pattern).not.toMatch(/\\[upP]|\(\?/);
      expect(new RegExp(pattern).source).toBe(new RegExp(pattern, 'u').source);
    }
  });

  // Generators of clients cannot read the type `null` alone. They can at the end of a choice.
  it('has no type that allows nothing but null', () => {
    expect(text).not.toMatch(/"type":"null"(?!\})/);
  });
});
