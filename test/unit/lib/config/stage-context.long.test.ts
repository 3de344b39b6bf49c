import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

describe('a mistake', () => {
  it('reaches the console as its sentence, with no stack trace, and a status of failure', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/market-data-proxy.ts'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '', CDK_CONTEXT_JSON: '{"stage":"nope"}' },
    });
    expect(stderr).toMatch(
      /^Error: The context value stage=nope is not allowed: it must be one of dev, prod[^\n]*\n$/,
    );
    expect(status).toBe(1);
  });
});
