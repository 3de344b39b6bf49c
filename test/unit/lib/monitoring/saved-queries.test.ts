import { beforeAll, describe, expect, it } from '@jest/globals';
import { ENVIRONMENT, type FunctionName } from '../../../../lambda/contract/environment.ts';
import { metricsNamespace } from '../../../../lambda/contract/metrics.ts';
import { functionsOf, SAVED_QUERIES } from '../../../../lib/monitoring/query-table.ts';
import { runQuery } from '../../../support/logs-insights.ts';
import type { LogRecord } from '../../../support/logs-insights-filter.ts';
import { widgetsOf } from '../../../support/metric-lines.ts';
import { outputOf, reportedProblems } from '../../../support/operator-output.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { OPERATED } from '../../../support/variants.ts';

const template = synthesizeStack(...OPERATED);
const NOW = Date.parse('2026-11-21T12:00:00Z');
const SERVICES = Object.keys(ENVIRONMENT) as FunctionName[];

/** What Lambda itself writes, of an invocation that was well and of one that was not. */
const PLATFORM: readonly LogRecord[] = [
  {
    '@timestamp': NOW,
    '@type': 'REPORT',
    '@message': 'REPORT RequestId: 1',
    '@log': '123456789012:log',
    '@duration': 12.5,
    '@initDuration': 300,
    '@maxMemoryUsed': 200_000_000,
  },
  { '@timestamp': NOW, '@message': '2026-11-21T12:00:00Z 1 Task timed out after 100.00 seconds' },
];

/** A line of the API's own log, with what each field of its format would say. */
function accessLog(): LogRecord[] {
  return resources(template, 'AWS::ApiGateway::Stage').map(([, { Properties }]) => {
    const { Format } = Properties.AccessLogSetting as { Format: string };
    const fields = Object.keys(JSON.parse(Format)).map((name) => [name, ACCESS[name] ?? 'x']);
    return { '@timestamp': NOW, '@message': Format, ...Object.fromEntries(fields) };
  });
}

const ACCESS: LogRecord = {
  requestId: 'the X-Request-Id of the response',
  status: '429',
  gatewayAnswer: 'THROTTLED',
  latencyMs: '12',
  functionMs: '8',
  responseBytes: '2000000',
};

let ofFunctions: readonly LogRecord[];
let written: readonly LogRecord[];
beforeAll(async () => {
  process.env.METRICS_NAMESPACE = metricsNamespace('prod');
  ofFunctions = (await Promise.all(SERVICES.map((service) => outputOfService(service)))).flat();
  written = [...ofFunctions, ...PLATFORM, ...accessLog()];
});

/** One after the other: what they write is caught on its way to the console. */
let turn: Promise<unknown> = Promise.resolve();
function outputOfService(service: FunctionName): Promise<LogRecord[]> {
  const lines = turn.then(async () =>
    (await outputOf(service)).map((line) => ({
      '@timestamp': NOW,
      '@message': JSON.stringify(line),
      ...line,
    })),
  );
  turn = lines;
  return lines;
}

const saved = resources(template, 'AWS::Logs::QueryDefinition').map(
  ([, { Properties }]) =>
    [String(Properties.Name).split('/')[1] ?? '', String(Properties.QueryString)] as const,
);

describe('the saved queries', () => {
  it('are those of the table', () => {
    expect(saved.map(([id]) => id).sort()).toEqual(SAVED_QUERIES.map(({ id }) => id).sort());
  });

  it.each(saved)('%s can be run, and finds what the functions write', (_, query) => {
    const rows = runQuery(query, written);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row).length).toBeGreaterThan(1);
  });

  it('find every problem that a function tells of, in its own log', () => {
    const problems = ofFunctions.filter(({ level }) => level === 'WARN' || level === 'ERROR');
    const messages = new Set(problems.map(({ message }) => String(message)));
    // What the code can tell of is what was told of.
    const untold = reportedProblems().filter((text) => ![...messages].some((told) => told.startsWith(text)));
    expect(untold).toEqual([]);
    const unfound = problems.filter(({ service, ...line }) => {
      const queries = SAVED_QUERIES.filter(({ of }) => functionsOf(of).includes(service as FunctionName));
      return queries.every(({ lines }) => runQuery(lines.join('\n| '), [{ service, ...line }]).length === 0);
    });
    expect(unfound.map(({ service, message }) => `${service}: ${message}`)).toEqual([]);
  });

  it.each(['refresh-problems', 'error-responses'])('%s finds a function that ran out of time', (id) => {
    const query = saved.find(([name]) => name === id)?.[1] ?? '';
    expect(runQuery(query, PLATFORM)).toEqual([
      { '@timestamp': NOW, '@message': expect.stringContaining('Task timed out') },
    ]);
  });
});

describe('the graphs that ask the log', () => {
  const [dashboard] = resources(template, 'AWS::CloudWatch::Dashboard').map(
    ([, { Properties }]) => Properties,
  );
  const queries = widgetsOf(dashboard?.DashboardBody).flatMap(
    ({ type, properties: { title = '', query = '' } }) =>
      type === 'log'
        ? [
            [
              title,
              query.replace(/^(?:SOURCE [^|]*\| ?)+/, '').replaceAll(/\s*\n?\s*\|\s*/g, '\n| '),
            ] as const,
          ]
        : [],
  );

  it.each(queries)('"%s" has a value for every line it draws', (_, query) => {
    const rows = runQuery(query, written);
    const names = [...query.matchAll(/\bas (\w+)/g)].map(([, name]) => String(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(rows.some((row) => typeof row[name] === 'number')).toBe(true);
  });
});

describe('the language', () => {
  it.each([
    'find message = "x"',
    'filter message == "x"',
    'filter message in "x"',
    'filter message = "x" and',
    'stats count(*) by service',
    'stats average(x) as y',
    'sort @timestamp down',
    'limit many',
    'display a b',
    "filter message = 'x'",
  ])('has no %s', (query) => {
    expect(() => runQuery(query, [])).toThrow();
  });

  it('counts, groups, sorts and cuts', () => {
    const records = [1, 2, 3, 4].map((n) => ({ n, kind: n % 2 === 0 ? 'even' : 'odd', in: { ner: n } }));
    const query =
      'filter n > 1 and not (in.ner = 3)\n| stats count(*) as all, max(n) / 2 as half, pct(n, 50) as middle by kind';
    expect(runQuery(query, records)).toEqual([{ kind: 'even', all: 2, half: 2, middle: 2 }]);
    expect(runQuery('sort n desc\n| limit 1\n| display n, missing', records)).toEqual([{ n: 4 }]);
  });
});
