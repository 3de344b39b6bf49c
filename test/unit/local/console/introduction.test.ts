import { expect, it } from '@jest/globals';
import { uncountedSentence } from '../../../../local/console/introduction.ts';

it.each([
  [undefined, undefined],
  ['off', undefined],
  ['60', undefined],
  ['1000000', expect.stringContaining('No IP is limited')],
])('a limit of %s is said to be too high to be counted: %s', (limit, sentence) => {
  expect(uncountedSentence(limit)).toEqual(sentence);
});
