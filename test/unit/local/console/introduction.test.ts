import { expect, it } from '@jest/globals';
import { examples, uncountedSentence } from '../../../../local/console/introduction.ts';
import type { LocalService } from '../../../../local/local-service.ts';

const service = {
  url: 'http://127.0.0.1:3000',
  api: { methods: [{ resource: { path: '/api/clob/order-book' } }] },
} as unknown as LocalService;

it('the examples have a real token where a market is listed', () => {
  expect(examples(service, '123')).toEqual([expect.stringContaining('=123')]);
  expect(examples(service)).toEqual([expect.stringContaining('=<clobTokenId of a market>')]);
});

it.each([
  [undefined, undefined],
  ['off', undefined],
  ['60', undefined],
  ['1000000', expect.stringContaining('No IP is limited')],
])('a limit of %s is said to be too high to be counted: %s', (limit, sentence) => {
  expect(uncountedSentence(limit)).toEqual(sentence);
});
