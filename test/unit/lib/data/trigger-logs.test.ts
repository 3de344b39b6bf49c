import { expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../../support/stack.ts';

const template = synthesizeStack();
const logGroups = new Map(resources(template, 'AWS::Logs::LogGroup'));
const functions = resources(template, 'AWS::Lambda::Function');

it.each(functions)(
  '%s logs to a group of the stack, which expires and goes with it',
  (_id, { Properties }) => {
    const { LogGroup } = Properties.LoggingConfig as { LogGroup: { Ref: string } };
    const group = logGroups.get(LogGroup.Ref);
    expect(group).toMatchObject({ DeletionPolicy: 'Delete', Properties: { RetentionInDays: 7 } });
  },
);

it("the CDK's own function may write to its log group and make none: the group would come back after a destroy", () => {
  const inline = resources(template, 'AWS::IAM::Role').flatMap(([id, { Properties }]) =>
    id.includes('TriggerCustomResourceProvider') ? [Properties] : [],
  );
  expect(inline).toHaveLength(1);
  expect(inline[0]).not.toHaveProperty('ManagedPolicyArns');
  const policies = JSON.stringify(inline[0]?.Policies);
  expect(policies).toContain('"logs:PutLogEvents"');
  expect(policies).toContain('"lambda:InvokeFunction"');
  expect(policies).not.toContain('logs:CreateLogGroup');
  expect(policies).not.toContain('"Resource":"*"');
});
