import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JsonLog } from '../../../../lambda/platform/log.ts';

const lines: Record<string, unknown>[] = [];
const log = new JsonLog('get-status');

beforeEach(() => {
  lines.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  delete process.env._X_AMZN_TRACE_ID;
});

describe('the log of a function', () => {
  it('is a line of JSON for each sentence, with its level, time and function', () => {
    log.info('Snapshot published', { markets: 2_000 });
    log.warn('A tool failed');
    expect(lines).toEqual([
      {
        level: 'INFO',
        message: 'Snapshot published',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: 'get-status',
        markets: 2_000,
      },
      { level: 'WARN', message: 'A tool failed', timestamp: expect.any(String), service: 'get-status' },
    ]);
  });

  it('tells an error with its causes and what it adds, but no objects: they may be circular', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNRESET' });
    const error: Error & { request?: unknown } = new Error('outer', { cause });
    error.request = error;
    log.error('Unexpected error', { error });
    expect(lines[0]).toMatchObject({
      level: 'ERROR',
      error: {
        name: 'Error',
        message: 'outer',
        stack: expect.stringContaining('log.test.ts'),
        cause: { name: 'TypeError', message: 'inner', code: 'ECONNRESET' },
      },
    });
    expect(lines[0]?.error).not.toHaveProperty('request');
  });

  it('names the trace of the request', () => {
    process.env._X_AMZN_TRACE_ID =
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
    log.info('Refresh progress');
    expect(lines[0]?.xray_trace_id).toBe('1-5759e988-bd862e3fe1be46a994272793');
  });
});
