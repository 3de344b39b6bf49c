import { describe, expect, it } from '@jest/globals';
import { unreachable } from '../../../local/doctor/visit.ts';

describe('unreachable', () => {
  it.each([
    ['ENOTFOUND', 'cannot resolve a.example'],
    ['EAI_AGAIN', 'cannot resolve a.example'],
    ['ECONNREFUSED', 'a.example refuses connections'],
    ['EHOSTUNREACH', 'cannot connect to a.example (EHOSTUNREACH)'],
  ])('says for %s: %s', (code, sentence) => {
    const error = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
    expect(unreachable('a.example', error)).toBe(sentence);
  });

  it('has a sentence without a cause', () => {
    expect(unreachable('a.example', new Error('x'))).toBe('cannot connect to a.example');
  });
});
