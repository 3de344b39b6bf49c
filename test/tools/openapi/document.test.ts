import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../tools/openapi/document.ts';

const text = JSON.stringify(openApiDocument());

describe('the API document', () => {
  it('lets callers without a key call every operation', () => {
    expect(openApiDocument().security).toContainEqual({});
    expect(text.match(/"security":/g)).toHaveLength(1);
  });
});

describe('what tools of other people need of the API document', () => {
  it('is no control character and no character beyond the basic plane', () => {
    expect(text).not.toMatch(/[^\x20-\uD7FF\uE000-\uFFFD]|\\u00[01]/u);
  });

  it('is patterns of ASCII without Unicode escapes, which JavaScript, Python, Java and Go read alike', () => {
    const patterns = [...new Set(text.match(/(?<="pattern":)"(?:[^"\\]|\\.)*"/g))].map(
      (one): string => JSON.parse(one),
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
