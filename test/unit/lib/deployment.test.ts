import { describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../lambda/contract/version.ts';
import { synthesizeStack, synthesizeStacks } from '../../support/stack.ts';
import { CHANGED, CHANGED_AGAIN, DEV, PROD, type Variant } from '../../support/variants.ts';

describe('what is deployed', () => {
  const deployed = synthesizeStack(...CHANGED_AGAIN);

  it('says its version and the settings that differ from the defaults', () => {
    deployed.hasOutput('Version', { Value: 'v1.2.3-4-gabcdef0' });
    deployed.hasOutput('Settings', {
      Value: 'stage=dev monthlyBudgetUsd=0 publicKeys=2 maxMarkets=500 staleIfErrorSeconds=600',
    });
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
  const description = (variant: Variant) => {
    const [alarm] = Object.values(synthesizeStack(...variant).findResources('AWS::CloudWatch::Alarm'));
    return String(alarm?.Properties.AlarmDescription);
  };

  it('is an address that a phone can open: the stage’s, else that of the repository', () => {
    expect(description(CHANGED_AGAIN)).toContain(
      'Runbook: https://github.com/acme/proxy/blob/HEAD/docs/runbook.md#',
    );
    expect(description(CHANGED)).toContain('Runbook: https://wiki.example.com/proxy#');
  });

  it('is its file where nobody knows an address', () => {
    expect(description(DEV)).toContain('Runbook: docs/runbook.md#');
  });
});

it('prod cannot be deleted by mistake, nor can its web ACL', () => {
  const { service, waf } = synthesizeStacks(...PROD);
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
