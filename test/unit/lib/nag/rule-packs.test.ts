import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { stageFromContext } from '../../../../lib/config/stage-context.ts';
import { addDeployment } from '../../../../lib/deployment.ts';
import { addRulePacks } from '../../../../lib/nag/rule-packs.ts';
import { testApp } from '../../../support/app.ts';

const DEPLOYMENTS: Readonly<Record<string, string>>[] = [
  { stage: 'dev' },
  { stage: 'prod' },
  { stage: 'dev', edge: 'false' },
  { stage: 'dev', apiAccessLog: 'true' },
  {
    stage: 'prod',
    domainName: 'api.example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
  },
];

function appOf(context: Readonly<Record<string, string>>) {
  const app = testApp(context);
  addDeployment(app, stageFromContext(app.node.getAllContext()));
  addRulePacks(app);
  return app;
}

describe('the rules of cdk-nag (AwsSolutions, Serverless)', () => {
  it.each(DEPLOYMENTS)('find nothing that is not acknowledged: %j', (context) => {
    const { directory } = appOf(context).synth();
    // Errors alone would have thrown; the report has the warnings too.
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    expect(report.pluginReports).toEqual([]);
  });

  it('are in force: a queue without TLS makes the synthesis fail', () => {
    const app = appOf({});
    new Queue(new Stack(app, 'Another'), 'Open');
    expect(() => app.synth()).toThrow('AwsSolutions-SQS4');
  });
});
