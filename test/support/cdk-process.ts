import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CdkCalls } from './cdk-calls.ts';

const POLL_MS = 5;
const LONGEST_CALL_MS = 90_000;

/**
 * The result of one of CDK_CALLS, from synthesis-server.ts, which remembers it for the whole run. It waits without
 * giving way: a template is wanted before the tests are declared.
 *
 * @throws with the call's own error
 */
export function inCdkProcess<Name extends keyof CdkCalls>(
  name: Name,
  ...[argument]: Parameters<CdkCalls[Name]>
): ReturnType<CdkCalls[Name]> {
  const folder = process.env.TEST_SYNTHESIS_FOLDER;
  if (!folder) throw new Error('jest-global-setup.js has not run');
  const call = JSON.stringify({ name, argument });
  const key = createHash('sha256').update(call).digest('hex');
  const file = (ending: string): string => join(folder, `${key}.${ending}`);
  if (!existsSync(file('json')) && !existsSync(file('request'))) {
    const draft = file(`${process.pid}.draft`);
    writeFileSync(draft, call);
    renameSync(draft, file('request'));
  }
  for (let waited = 0; !existsSync(file('json')); waited += POLL_MS) {
    if (waited > LONGEST_CALL_MS) throw new Error(`${name} has not ended`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  const { error, result } = JSON.parse(readFileSync(file('json'), 'utf8'));
  if (error !== undefined) throw new Error(`${name} in the CDK's process: ${error}`);
  return result;
}
