import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('every region that the settings accept has all types of resources of the template', async () => {
  // A process of its own: within jest, loading the CDK takes longer than all regions.
  const program = join(import.meta.dirname, 'synthesise-regions.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program]);
  const findings: Record<string, string> = JSON.parse(stdout);
  expect(Object.keys(findings).length).toBeGreaterThan(30);
  expect(Object.entries(findings).filter(([, found]) => found !== '')).toEqual([]);
});
