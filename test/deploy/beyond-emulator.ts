import type { CheckName } from '../../tools/smoke/all-checks.ts';

/**
 * Checks of the smoke test that a deployment on MiniStack cannot pass, with the reason. One that passes all the same
 * fails the deploy test, so that the list stays true when the emulator learns more.
 */
export const BEYOND_EMULATOR: { readonly [Name in CheckName]?: string } = {
  'list: gzip': 'MiniStack does not compress responses (minCompressionSize)',
};

/**
 * Resource types of the stack that MiniStack's CloudFormation does not know, or a type and a property of it, with what
 * is not shown without them. It takes them without making anything, and fails when it knows one by now.
 */
export const UNKNOWN_RESOURCES: Readonly<Record<string, string>> = {
  'AWS::Budgets::Budget': 'the monthly budget is not made; test/unit/lib holds what it warns of',
  'AWS::CloudWatch::Alarm/Metrics': 'alarms on metric math are not made; test/unit/lib holds what they say',
  'AWS::Logs::QueryDefinition':
    'the saved queries are not made; they are for people, and nothing runs by them',
  'AWS::XRay::SamplingRule':
    'the rule of which requests are traced is not made, and the emulator traces none; test/unit/lib holds what it says',
};
