/**
 * `npm run test:page` runs the tests of the page in Chromium. `npm test` does not: it needs no
 * browser.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from '../../tools/programs.ts';

const here = import.meta.dirname;
const root = join(here, '../..');
const jest = join(root, 'node_modules/jest/bin/jest.js');

const pageConfig = {
  rootDir: root,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.cjs' },
  testMatch: ['<rootDir>/test/page/*.test.ts'],
  testTimeout: 120_000,
  // Each test file starts a browser and a service.
  maxWorkers: 1,
};

execFileSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
execFileSync(join(root, 'node_modules/.bin/tsc'), ['--noEmit', '--project', here], {
  stdio: 'inherit',
});
const nodeOptions = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const { status } = spawnSync(
  process.execPath,
  [...nodeOptions, jest, '--config', JSON.stringify(pageConfig), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CHROMIUM: chromium() } },
);
process.exitCode = status ?? 1;
