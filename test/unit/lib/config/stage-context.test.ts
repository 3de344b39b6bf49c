import { describe, expect, it } from '@jest/globals';
import { stageFromContext } from '../../../../lib/config/stage-context.ts';

describe('the stage of the context', () => {
  it('is dev without any', () => {
    expect(stageFromContext({})).toEqual(stageFromContext({ stage: 'dev' }));
    expect(stageFromContext({}).name).toBe('dev');
  });

  it('is the file of its name with the overrides of the context', () => {
    expect(stageFromContext({ stage: 'prod', maxMarkets: '500' })).toEqual({
      ...stageFromContext({ stage: 'prod' }),
      maxMarkets: 500,
      changes: expect.stringMatching(/^stage=prod .*maxMarkets=500/),
    });
  });

  it('is refused when its settings contradict each other', () => {
    expect(() => stageFromContext({ waf: 'true', edge: 'false' })).toThrow('set waf=false too');
  });
});

describe('a mistake', () => {
  it('is a name that is no setting', () => {
    expect(() => stageFromContext({ alarmMail: 'me@example.com' })).toThrow('There is no setting alarmMail');
  });
});
