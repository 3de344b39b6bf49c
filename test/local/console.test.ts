import { describe, expect, it } from '@jest/globals';
import { shortLine } from '../../local/console.ts';

const line = (fields: object): string => `${JSON.stringify({ service: 'refresh-snapshot', ...fields })}\n`;

describe('shortLine', () => {
  it('shortens a warning and an error to its time, function and message', () => {
    const error = { level: 'ERROR', message: 'It failed', error: { message: 'because\nof this' } };
    expect(shortLine(line(error))).toMatch(/^\d\d:\d\d:\d\d {2}ERROR {2}refresh-snapshot: It failed \(because\)\n$/);
    expect(shortLine(line({ level: 'WARN', message: 'A call failed' }))).toContain('A call failed');
  });

  it('drops other levels and metrics', () => {
    expect(shortLine(line({ level: 'INFO', message: 'Snapshot published' }))).toBe('');
    expect(shortLine(line({ _aws: { Timestamp: 1 }, SnapshotAge: 2 }))).toBe('');
  });

  it.each(['Ready: http://127.0.0.1:3000\n', '{"a":1}\n', '{"level":"WARN"'])('leaves %j as it is', (text) => {
    expect(shortLine(text)).toBe(text);
  });
});
