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
