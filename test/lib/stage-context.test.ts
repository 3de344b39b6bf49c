import { describe, expect, it } from '@jest/globals';
import { stageFromContext } from '../../lib/stage-context.ts';
import { STAGES } from '../../lib/stages.ts';

const stage = (context: Record<string, unknown>) => stageFromContext((key) => context[key]);

describe('the stage of the context', () => {
  it('is dev without any', () => {
    expect(stage({})).toEqual(STAGES.dev);
  });

  it('takes overrides as text, as the command line gives them', () => {
    expect(stage({ stage: 'prod', maxMarkets: '500', gammaUrl: 'http://127.0.0.1:4000/' })).toEqual({
      ...STAGES.prod,
      maxMarkets: 500,
      gammaUrl: 'http://127.0.0.1:4000',
    });
  });

  it.each([
    [{ stage: 'production' }, 'stage=production is not allowed: it must be one of dev, prod.'],
    [{ maxMarkets: '10001' }, 'maxMarkets=10001 is not allowed: it must be a whole number from 1 to 10000'],
    [{ maxMarkets: '0' }, 'a whole number from 1 to 10000'],
    [{ refreshMinutes: '1.5' }, 'a whole number from 1 to 60'],
    [{ gammaUrl: 'polymarket' }, 'an http or https URL'],
  ])('refuses %j', (context, sentence) => {
    expect(() => stage(context)).toThrow(sentence);
  });
});
