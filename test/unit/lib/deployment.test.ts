import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../lambda/contract/version.ts';
import { synthesizeStack, synthesizeStacks } from '../../support/stack.ts';

describe('what is deployed', () => {
  const deployed = synthesizeStack({ maxMarkets: '500' }, { version: 'v1.2.3-4-gabcdef0' });

  it('says its version and the settings that differ from the defaults', () => {
    deployed.hasOutput('Version', { Value: 'v1.2.3-4-gabcdef0' });
    deployed.hasOutput('Settings', { Value: 'stage=dev maxMarkets=500' });
    deployed.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'GET /api/status',
      Environment: { Variables: { SERVICE_VERSION: 'v1.2.3-4-gabcdef0' } },
    });
    synthesizeStack().hasOutput('Version', { Value: VERSION });
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
  const description = (...stage: Parameters<typeof synthesizeStack>) => {
    const [alarm] = Object.values(synthesizeStack(...stage).findResources('AWS::CloudWatch::Alarm'));
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
  const { service, waf } = synthesizeStacks({ stage: 'prod' });
  expect([service.terminationProtection, waf?.terminationProtection]).toEqual([true, true]);
  expect(synthesizeStacks().service.terminationProtection).toBe(false);
});

it('alarms are made after the first run was started and the edge is there: none rings for data that cannot be there', () => {
  const alarms = Object.values(synthesizeStack().findResources('AWS::CloudWatch::Alarm'));
  for (const { DependsOn = [] } of alarms) {
    expect(DependsOn.join(' ')).toMatch(/FrontDoorDistribution/);
    expect(DependsOn.join(' ')).toMatch(/RefresherFirstRun/);
  }
});
