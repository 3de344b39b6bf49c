import { describe, expect, it } from '@jest/globals';
import { readContext } from '../../../../tools/settings/options.ts';

describe('the command line of npm run settings', () => {
  it.each([
    [[], {}],
    [['prod'], { stage: 'prod' }],
    [['-c', 'stage=prod'], { stage: 'prod' }],
    [
      ['prod', '-c', 'maxMarkets=500', '--context', 'runbookUrl=https://a/?b=c'],
      { stage: 'prod', maxMarkets: '500', runbookUrl: 'https://a/?b=c' },
    ],
  ])('%j is the context %j', (given, context) => {
    expect(readContext(given)).toEqual(context);
  });

  it.each([
    [['prod', 'extra'], 'One stage at a time, not prod and extra.'],
    [['prod', '-c', 'stage=dev'], 'The stage is named twice: prod and -c stage=dev.'],
    [['-c', 'maxMarkets'], '-c takes key=value, not "maxMarkets".'],
  ])('%j is refused', (given, sentence) => {
    expect(() => readContext(given)).toThrow(sentence);
  });
});
