/**
 * `CRASH_LINES` is a regular expression for Lambda's own log lines about a function that timed out,
 * died, or cannot start. A metric filter counts these lines for the alarm `functions-crash`.
 */
import { describe, expect, it } from '@jest/globals';
import { CRASH_LINES } from '../../../lib/monitoring/crashes.ts';
import { propertiesOf, resources, template } from '../templates.ts';

const REQUEST_ID = '7c2e5a91-4d3b-4f0a-9e21-8b1c6f4a2d90';
const REPORT = `REPORT RequestId: ${REQUEST_ID}\tDuration: 10000.00 ms\tMemory Size: 512 MB\t`;

/** From public logs of 2024 to 2026. */
const CRASHES = [
  `${REPORT}Status: timeout\n`,
  `${REPORT}Status: error\tError Type: Runtime.OutOfMemory\n`,
  'INIT_REPORT Init Duration: 150.79 ms\tPhase: init\tStatus: error\tError Type: Runtime.UserCodeSyntaxError\n',
  'INIT_REPORT Init Duration: 9999.79 ms\tPhase: init\tStatus: timeout\n',
  `2024-01-29T16:41:15.998Z ${REQUEST_ID} Task timed out after 45.05 seconds\n`,
  '2024-06-25T19:22:58.186Z  Task timed out after 30.27 seconds\n',
  '2025-02-10T07:37:11.523Z\tundefined\tERROR\tUncaught Exception \t{"errorType":"Runtime.ImportModuleError"}\n',
  `2025-02-10T07:37:11.523Z\t${REQUEST_ID}\tERROR\tUncaught Exception \t{"errorType":"Error"}\n`,
  `RequestId: ${REQUEST_ID} Error: Runtime exited with error: signal: killed\nRuntime.ExitError\n`,
  'RequestId:  Error: Runtime exited with error: signal: killed\n',
];

const QUOTED = CRASHES.map((line) => line.trim());
/** Lambda's other lines, and lines of our functions and of Lambda that quote a crash. */
const OTHERS = [
  `START RequestId: ${REQUEST_ID} Version: $LATEST\n`,
  `END RequestId: ${REQUEST_ID}\n`,
  `${REPORT}Init Duration: 301.55 ms\t\n`,
  'INIT_START Runtime Version: nodejs:24.v20\tRuntime Version ARN: arn:aws:lambda:eu-west-1::runtime:0\n',
  ...QUOTED.map((excerpt) => JSON.stringify({ level: 'WARN', message: 'Upstream call', excerpt })),
  ...QUOTED.map(
    (text) =>
      `2025-02-10T07:37:11.523Z\t${REQUEST_ID}\tERROR\tInvoke Error \t{"message":"${text}"}`,
  ),
];

describe('CRASH_LINES', () => {
  const crashLines = new RegExp(CRASH_LINES);

  it.each(CRASHES)('matches a line of a crash: %s', (line) => {
    expect(line).toMatch(crashLines);
  });

  it.each(OTHERS)('matches no other line, even if it quotes a crash: %s', (line) => {
    expect(line).not.toMatch(crashLines);
  });

  it('uses only what AWS documents: letters, digits, symbols and operators without groups', () => {
    expect(CRASH_LINES).toMatch(/^[\w:#=@/;,\-^$?[\]{}|\\*+.]+$/);
    expect(CRASH_LINES.length).toBeLessThan(1_024);
  });
});

it('a filter counts crashes in the log group of each function that answers callers', () => {
  const prod = template('prod');
  const crashFilters = propertiesOf(prod, 'AWS::Logs::MetricFilter').filter(
    ({ FilterPattern }) => FilterPattern === `%${CRASH_LINES}%`,
  );
  const functions = resources(prod, 'AWS::Lambda::Function').filter(({ id }) =>
    id.startsWith('Read'),
  );
  const logGroups = functions.map(
    ({ properties }) => (properties.LoggingConfig as { LogGroup: unknown }).LogGroup,
  );
  expect(crashFilters.map(({ LogGroupName }) => LogGroupName)).toEqual(logGroups);
  expect(logGroups.length).toBeGreaterThan(10);
});
