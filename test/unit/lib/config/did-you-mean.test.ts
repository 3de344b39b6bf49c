import { describe, expect, it } from '@jest/globals';
import { didYouMean } from '../../../../lib/config/did-you-mean.ts';

const known = ['alarmEmail', 'edge', 'edgeCache', 'waf'];

describe('a misspelt name', () => {
  it.each([
    ['alarmMail', 'alarmEmail'],
    ['alarmemail', 'alarmEmail'],
    ['egde', 'edge'],
    ['edgecach', 'edgeCache'],
    ['WAF', 'waf'],
  ])('%s: did you mean %s', (name, meant) => {
    expect(didYouMean(name, known)).toBe(` (did you mean ${meant}?)`);
  });

  it.each(['colour', 'x', ''])('"%s" is near to none', (name) => {
    expect(didYouMean(name, known)).toBe('');
  });
});
