/**
 * The functions of the service log JSON. The console of the local server shows their warnings and
 * errors as short lines (`lineShortener`), drops their other lines and metrics, and shows any
 * other text as it is.
 */
import { describe, expect, it } from '@jest/globals';
import { lineShortener, sizeText } from '../../local/console.ts';

/** A line of a function's log. */
const line = (fields: object): string =>
  `${JSON.stringify({ service: 'refresh-snapshot', ...fields })}\n`;
const FAILED = {
  level: 'WARN',
  message: 'Upstream call failed',
  upstream: 'gamma',
  route: 'markets-keyset',
};

describe('lineShortener', () => {
  const HOSTS = { gamma: 'gamma.example.com' };
  const shorten = lineShortener(HOSTS, () => 0);

  it.each([
    {
      logged: { ...FAILED, failure: 'status', status: 503 },
      sentence: 'Upstream call failed (gamma.example.com, markets-keyset, status 503)',
    },
    {
      logged: {
        level: 'WARN',
        message: 'Responded with an error',
        code: 'snapshot_stale',
        reason: 'It is old.',
      },
      sentence: 'Responded with an error (snapshot_stale, It is old.)',
    },
    {
      logged: { level: 'ERROR', message: 'It failed', error: { message: 'because\nof this' } },
      sentence: 'It failed (because)',
    },
    { logged: { level: 'CRITICAL', message: 'It ended' }, sentence: 'It ended' },
  ])('prints $sentence', ({ logged, sentence }) => {
    const text = shorten(line(logged));
    const time = /^\d\d:\d\d:\d\d {2}/;
    expect(text).toMatch(time);
    expect(text.replace(time, '')).toBe(`${logged.level}  refresh-snapshot: ${sentence}\n`);
  });

  it('prints the same warning at most once a minute', () => {
    let now = 0;
    const shortenNow = lineShortener(HOSTS, () => now);
    const warn = (status: number) => shortenNow(line({ ...FAILED, status }));
    expect(warn(500)).not.toBe('');
    now = 59_999;
    expect(warn(500)).toBe('');
    expect(warn(502)).not.toBe('');
    now = 60_000;
    expect(warn(500)).not.toBe('');
  });

  it('drops other levels and metrics', () => {
    expect(shorten(line({ level: 'INFO', message: 'Snapshot published' }))).toBe('');
    expect(shorten(line({ _aws: { Timestamp: 1 }, InternalErrors: 2 }))).toBe('');
  });

  it.each(['Ready: http://127.0.0.1:3000\n', '{"a":1}\n', '{"level":"WARN"'])(
    'leaves %j as it is',
    (text) => {
      expect(shorten(text)).toBe(text);
    },
  );
});

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 KB'],
  [1_234_567, '1.2 MB'],
])('sizeText writes %i bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
