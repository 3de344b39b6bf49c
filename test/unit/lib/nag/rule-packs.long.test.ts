import { describe, expect, it } from '@jest/globals';
import { inCdkProcess } from '../../../support/cdk-process.ts';

const DEPLOYMENTS: Readonly<Record<string, string>>[] = [
  { stage: 'dev' },
  { stage: 'prod' },
  { stage: 'dev', edge: 'false', apiAccessLog: 'true' },
  {
    stage: 'prod',
    domainName: 'api.example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
  },
];

describe('the rules of cdk-nag (AwsSolutions, Serverless)', () => {
  it.each(DEPLOYMENTS)('find nothing that is not acknowledged: %j', (context) => {
    expect(inCdkProcess('ruleFindings', { context })).toEqual([]);
  });

  it('are in force: a queue without TLS makes the synthesis fail', () => {
    expect(() => inCdkProcess('ruleFindings', { context: {}, openQueue: true })).toThrow('AwsSolutions-SQS4');
  });
});
