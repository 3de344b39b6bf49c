import { spawnSync } from 'node:child_process';
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

describe('a mistake reaches the console as its sentence, with no stack trace, and a status of failure', () => {
  it.each([
    ['{"stage":"nope"}', 'The context value stage=nope is not allowed: it must be one of dev, prod'],
    ['{"alarmMail":"me@example.com"}', 'There is no setting alarmMail'],
  ])('%s', (context, sentence) => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/market-data-proxy.ts'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', CDK_CONTEXT_JSON: context },
    });
    expect(stderr).toMatch(new RegExp(`^Error: ${sentence}[^\\n]*\\n$`));
    expect(status).toBe(1);
  });
});
