import { describe, expect, it } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { VERSION } from '../../../lambda/contract/version.ts';
import { stageFromContext } from '../../../lib/config/stage-context.ts';
import { addDeployment, type Surroundings } from '../../../lib/deployment.ts';
import { testApp } from '../../support/app.ts';

const deploy = (context = {}, surroundings: Surroundings = {}) =>
  addDeployment(testApp(), stageFromContext(context), surroundings);
const template = (context = {}, surroundings: Surroundings = {}) =>
  Template.fromStack(deploy(context, surroundings).service);

describe('what is deployed', () => {
  const deployed = template({ maxMarkets: '500' }, { version: 'v1.2.3-4-gabcdef0' });

  it('says its version and the settings that differ from the defaults', () => {
    deployed.hasOutput('Version', { Value: 'v1.2.3-4-gabcdef0' });
    deployed.hasOutput('Settings', { Value: 'stage=dev maxMarkets=500' });
    deployed.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'GET /api/status',
      Environment: { Variables: { SERVICE_VERSION: 'v1.2.3-4-gabcdef0' } },
    });
    template().hasOutput('Version', { Value: VERSION });
  });

  it('says the names that the runbook asks for', () => {
    const { Outputs, Resources } = deployed.toJSON();
    const typeOf = (output: string) => Resources[Outputs[output].Value.Ref].Type;
    expect(typeOf('RefresherName')).toBe('AWS::Lambda::Function');
    expect(Outputs.RefresherName.Value.Ref).toMatch(/^Refresher/);
    expect([typeOf('FailedQueueUrl'), Outputs.FailedQueueUrl.Value.Ref]).toEqual([
      'AWS::SQS::Queue',
      expect.stringMatching(/Failed/),
    ]);
    expect([typeOf('UndeliveredQueueUrl'), Outputs.UndeliveredQueueUrl.Value.Ref]).toEqual([
      'AWS::SQS::Queue',
      expect.stringMatching(/Undelivered/),
    ]);
  });
});

describe('the runbook that alarms name', () => {
  const description = (context = {}, surroundings: Surroundings = {}) => {
    const [alarm] = Object.values(template(context, surroundings).findResources('AWS::CloudWatch::Alarm'));
    return String(alarm?.Properties.AlarmDescription);
  };

  it('is an address that a phone can open: the stage’s, else that of the repository', () => {
    const runbookUrl = 'https://github.com/acme/proxy/blob/HEAD/docs/runbook.md';
    expect(description({}, { runbookUrl })).toContain(`Runbook: ${runbookUrl}#`);
    expect(description({ runbookUrl: 'https://wiki.example.com/proxy' }, { runbookUrl })).toContain(
      'Runbook: https://wiki.example.com/proxy#',
    );
  });

  it('is its file where nobody knows an address', () => {
    expect(description()).toContain('Runbook: docs/runbook.md#');
  });
});

it('prod cannot be deleted by mistake, nor can its web ACL', () => {
  const { service, waf } = deploy({ stage: 'prod' });
  expect([service.terminationProtection, waf?.terminationProtection]).toEqual([true, true]);
  expect(deploy().service.terminationProtection).toBe(false);
});

it('alarms are made after the first run was started and the edge is there: none rings for data that cannot be there', () => {
  const alarms = Object.values(template().findResources('AWS::CloudWatch::Alarm'));
  for (const { DependsOn = [] } of alarms) {
    expect(DependsOn.join(' ')).toMatch(/FrontDoorDistribution/);
    expect(DependsOn.join(' ')).toMatch(/RefresherFirstRun/);
  }
});
