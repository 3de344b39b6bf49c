import { describe, expect, it } from '@jest/globals';
import { CRASH_LINES } from '../../../lib/monitoring/crashes.ts';
import { resources, template } from '../templates.ts';

const ID = '7c2e5a91-4d3b-4f0a-9e21-8b1c6f4a2d90';
const REPORT = `REPORT RequestId: ${ID}\tDuration: 10000.00 ms\tBilled Duration: 10000 ms\tMemory Size: 512 MB\tMax Memory Used: 96 MB\t`;

/** Lines of public logs of 2024 to 2026. */
const CRASHES = [
  `${REPORT}Status: timeout\n`,
  `${REPORT}Status: error\tError Type: Runtime.OutOfMemory\n`,
  'INIT_REPORT Init Duration: 150.79 ms\tPhase: init\tStatus: error\tError Type: Runtime.UserCodeSyntaxError\n',
  'INIT_REPORT Init Duration: 9999.79 ms\tPhase: init\tStatus: timeout\n',
  `2024-01-29T16:41:15.998Z ${ID} Task timed out after 45.05 seconds\n`,
  '2024-06-25T19:22:58.186Z  Task timed out after 30.27 seconds\n',
  '2025-02-10T07:37:11.523Z\tundefined\tERROR\tUncaught Exception \t{"errorType":"Runtime.ImportModuleError"}\n',
  `2025-02-10T07:37:11.523Z\t${ID}\tERROR\tUncaught Exception \t{"errorType":"Error"}\n`,
  `RequestId: ${ID} Error: Runtime exited with error: signal: killed\nRuntime.ExitError\n`,
  'RequestId:  Error: Runtime exited with error: signal: killed\n',
];

const QUOTED = CRASHES.map((line) => line.trim());
const OTHERS = [
  `START RequestId: ${ID} Version: $LATEST\n`,
  `END RequestId: ${ID}\n`,
  `${REPORT}Init Duration: 301.55 ms\t\n`,
  'INIT_START Runtime Version: nodejs:24.v20\tRuntime Version ARN: arn:aws:lambda:eu-west-1::runtime:0\n',
  ...QUOTED.map((excerpt) => JSON.stringify({ level: 'WARN', message: 'Upstream call', excerpt })),
  ...QUOTED.map(
    (text) => `2025-02-10T07:37:11.523Z\t${ID}\tERROR\tInvoke Error \t{"message":"${text}"}`,
  ),
];

describe('the lines of a crash', () => {
  const lines = new RegExp(CRASH_LINES);

  it.each(CRASHES)('are counted: %s', (line) => {
    expect(line).toMatch(lines);
  });

  it.each(OTHERS)('are no others, even if they quote one: %s', (line) => {
    expect(line).not.toMatch(lines);
  });
});

describe('the filter', () => {
  const prod = template('prod');
  const filters = resources(prod, 'AWS::Logs::MetricFilter')
    .map(([, { Properties }]) => Properties)
    .filter(({ FilterPattern }) => FilterPattern === `%${CRASH_LINES}%`);

  it('counts in the log group of each function that answers callers', () => {
    const functions = resources(prod, 'AWS::Lambda::Function').filter(([id]) =>
      id.startsWith('Read'),
    );
    const groups = functions.map(
      ([, { Properties }]) => (Properties.LoggingConfig as { LogGroup: unknown }).LogGroup,
    );
    expect(filters.map(({ LogGroupName }) => LogGroupName)).toEqual(groups);
    expect(groups.length).toBeGreaterThan(10);
  });

  it('uses only what AWS documents: letters, digits, symbols and operators without groups', () => {
    expect(CRASH_LINES).toMatch(/^[\w:#=@/;,\-^$?[\]{}|\\*+.]+$/);
    expect(CRASH_LINES.length).toBeLessThan(1_024);
  });
});
