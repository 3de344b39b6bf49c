import { describe, expect, it } from '@jest/globals';
import { cleanText, cleanTexts } from '../../../../lambda/mcp/clean-text.ts';

describe('cleanText', () => {
  it.each([
    ['Will it\nrain?', 'Will it rain?'],
    ['a\u0000\u001b[31mb\u007f', 'a [31mb'],
    ['pay\u202eedoc\u202c', 'pay edoc'],
    ['zero\u200bwidth\ufeff', 'zero width'],
    // Letters of the "tags" block are not seen by anyone but a model.
    ['safe\u{e0041}\u{e0042}', 'safe'],
    ['\ud800 lone', '\ufffd lone'],
    ['Édouard 比特币 हिन्दी 🚀', 'Édouard 比特币 हिन्दी 🚀'],
  ])('%j becomes %j', (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it('cuts what is longer than any question, and leaves no half of a letter', () => {
    const cut = cleanText(`a${'🚀'.repeat(1_000)}`);
    expect(cut.length).toBe(601);
    expect(cut.isWellFormed()).toBe(true);
  });

  it('reaches every text of a value and leaves the rest', () => {
    const value = { a: ['x\u0007y', 1, null, true], b: { c: 'p\u2028q' } };
    expect(cleanTexts(value)).toEqual({ a: ['x y', 1, null, true], b: { c: 'p q' } });
  });
});
