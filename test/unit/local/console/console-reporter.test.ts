import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { ConsoleReporter } from '../../../../local/console/console-reporter.ts';
import { duration, logLine, size } from '../../../../local/console/format.ts';
import type { LocalService } from '../../../../local/local-service.ts';
import type { LogEvent, ServiceEvents } from '../../../../local/service-events.ts';

function report(verbose = false): { events: EventEmitter<ServiceEvents>; told: string[] } {
  const told: string[] = [];
  const events = new EventEmitter<ServiceEvents>();
  const reporter = new ConsoleReporter(
    (text) => told.push(text.trimEnd().replace(/^\d\d:\d\d:\d\d /, '')),
    verbose,
  );
  reporter.follow(events as unknown as LocalService);
  return { events, told };
}

function line(message: string, rest: Partial<LogEvent> = {}): LogEvent {
  return {
    functionId: 'F',
    refresher: true,
    level: 'INFO',
    message,
    keys: {},
    raw: `raw ${message}`,
    ...rest,
  };
}

const REQUEST = { method: 'GET', target: '/api/markets?limit=5', status: 200, bytes: 1_234, durationMs: 3.2 };

it('what a terminal would obey is shown, not obeyed', () => {
  const { events, told } = report();
  events.emit(
    'log',
    line('Upstream failed', { level: 'WARN', keys: { body: '\u001b[2J\u009b31m\u0007\r' } }),
  );
  expect(told.join()).toMatch(/^WARN Upstream failed body=/);
  expect(told.join()).not.toMatch(/[\p{Cc}]/u);
});

it('a request is one line', () => {
  const { events, told } = report();
  events.emit('request', { ...REQUEST, via: 'front door' });
  events.emit('request', { ...REQUEST, via: 'api' });
  expect(told).toEqual([
    'GET /api/markets?limit=5 200 1.2 kB 3 ms',
    'GET /api/markets?limit=5 200 1.2 kB 3 ms (inner API)',
  ]);
});

it('the refresher’s progress is told in the first run, its snapshots always, warnings of any function too', () => {
  const { events, told } = report();
  events.emit('log', line('Refresh progress', { keys: { markets: 500 } }));
  events.emit(
    'log',
    line('Snapshot published', { keys: { kind: 'full', markets: 2_000, skipped: 3, chunks: 1 } }),
  );
  events.emit('log', line('Snapshot published', { keys: { kind: 'prices', markets: 2_000, skipped: 0 } }));
  events.emit('refresh', { ok: true, durationMs: 900 });
  events.emit('log', line('Refresh progress', { keys: { markets: 500 } }));
  events.emit('log', line('Something internal'));
  events.emit('log', line('Request served', { refresher: false }));
  events.emit('log', line('Careful', { refresher: false, level: 'WARN', keys: { tokenId: 'a b' } }));
  expect(told).toEqual([
    'Refresh progress markets=500',
    'Snapshot published kind=full markets=2000 skipped=3',
    'Snapshot published kind=prices markets=2000',
    'WARN Careful tokenId="a b"',
  ]);
});

it('a problem that comes again and again in a run is told once, and at the end how many more there were', () => {
  const { events, told } = report();
  const failed = line('Upstream call failed', { level: 'WARN', keys: { status: 429 } });
  for (let n = 0; n < 5; n++) events.emit('log', failed);
  events.emit('log', line('Other', { level: 'WARN' }));
  events.emit('log', line('Snapshot published'));
  events.emit('refresh', { ok: true, durationMs: 1 });
  events.emit('log', failed);
  expect(told).toEqual([
    'WARN Upstream call failed status=429',
    'WARN Other',
    'Snapshot published',
    '4 more: WARN Upstream call failed status=429',
    'WARN Upstream call failed status=429',
  ]);
});

it('a run that says nothing of its end is told all the same', () => {
  const { events, told } = report();
  events.emit('refresh', { ok: true, durationMs: 900 });
  events.emit('refresh', { ok: false, durationMs: 61_000, error: 'Task timed out after 61.00 seconds' });
  expect(told).toEqual([
    'Refresh ended without a new snapshot (900 ms)',
    'Refresh failed after 1 min: Task timed out after 61.00 seconds',
  ]);
});

it('verbose shows every line as it is, metrics too', () => {
  const { events, told } = report(true);
  events.emit('log', line('Something internal', { refresher: false, level: 'DEBUG' }));
  events.emit('metric', { functionId: 'F', data: { _aws: {} } });
  expect(told).toEqual(['raw Something internal', '{"_aws":{}}']);
});

it('figures are short', () => {
  expect([0, 999, 1_000, 1_250_000].map(size)).toEqual(['0 B', '999 B', '1 kB', '1.3 MB']);
  expect([0.4, 999, 1_500, 120_000].map(duration)).toEqual(['0 ms', '999 ms', '1.5 s', '2 min']);
  const error = { name: 'Error', message: 'no', stack: 'long', cause: { message: 'refused' } };
  expect(logLine('Failed', { error, n: 1, ok: true })).toBe(
    'Failed error="Error: no (\\"refused\\")" n=1 ok=true',
  );
});
