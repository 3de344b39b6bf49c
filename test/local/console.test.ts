import { describe, expect, it } from '@jest/globals';
import { shortLine } from '../../local/console.ts';

const line = (fields: object): string => `${JSON.stringify({ service: 'refresh-snapshot', ...fields })}\n`;

describe('shortLine', () => {
  it.each([
    ['WARN', { message: 'A call failed' }, 'WARN  refresh-snapshot: A call failed\n'],
    [
      'ERROR',
      { message: 'It failed', error: { message: 'because\nof this' } },
      'ERROR  refresh-snapshot: It failed (because)\n',
    ],
  ])('shortens a line of the level %s', (level, fields, expected) => {
    expect(shortLine(line({ level, ...fields }))).toMatch(/^\d\d:\d\d:\d\d {2}/);
    expect(shortLine(line({ level, ...fields })).slice(10)).toBe(expected);
  });

  it('drops other levels and metrics', () => {
    expect(shortLine(line({ level: 'INFO', message: 'Snapshot published' }))).toBe('');
    expect(shortLine(line({ _aws: { Timestamp: 1 }, SnapshotAge: 2 }))).toBe('');
  });

  it.each(['Ready: http://127.0.0.1:3000\n', '{"a":1}\n', '{"level":"WARN"'])('leaves %j as it is', (text) => {
    expect(shortLine(text)).toBe(text);
  });
});
