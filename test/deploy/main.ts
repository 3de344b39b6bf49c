/**
 * `npm run test:deploy`: the real `cdk bootstrap`, `deploy` and `destroy` against MiniStack, an emulator of AWS that
 * runs here without Docker, with the simulated upstream as Gamma and CLOB. Nothing of it can reach AWS.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startUpstream } from 'polymarket-simulator';
import { Commands } from './commands.ts';
import { deployTest, freePort } from './deploy-test.ts';
import { Report } from './report.ts';
import { makeSandbox } from './sandbox.ts';

/** Enough for three pages of the catalogue. */
const MARKETS = 300;

const report = new Report();
const commands = new Commands();
const sandbox = await makeSandbox(await freePort());
const upstream = await startUpstream({ markets: MARKETS });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    commands.kill();
    void sandbox.remove().finally(() => process.exit(1));
  });
}

try {
  await deployTest({ sandbox, commands, upstream, report });
} catch (error) {
  if (report.failed === 0) report.failure('the deploy test', String(error));
  const log = await readFile(join(sandbox.folder, 'emulator.log'), 'utf8').catch(() => '');
  const lines = log.split('\n').slice(-30);
  console.log(['', "The end of the emulator's log:", ...lines.map((line) => line.slice(0, 300))].join('\n'));
} finally {
  await commands.stop();
  await upstream.close();
  await sandbox.remove();
}
report.close();
process.exitCode = report.failed === 0 ? 0 : 1;
