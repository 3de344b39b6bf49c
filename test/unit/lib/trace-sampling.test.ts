import { expect, it } from '@jest/globals';
import { TRACED_SHARE } from '../../../lib/trace-sampling.ts';
import { synthesizeStack } from '../../support/stack.ts';
import { PROD } from '../../support/variants.ts';

it('one request in a hundred is traced, and none besides: a trace costs more than the request', () => {
  expect(TRACED_SHARE).toBe(0.01);
  synthesizeStack(...PROD).hasResourceProperties('AWS::XRay::SamplingRule', {
    SamplingRule: {
      // API Gateway calls its service <stack>/<stage>, Lambda its functions <stack>-<id>.
      ServiceName: 'market-data-proxy-prod*',
      RuleName: 'market-data-proxy-prod',
      FixedRate: 0.01,
      ReservoirSize: 0,
      Priority: 1_000,
    },
  });
});
