/** `node tools/npx.ts <package> [arguments]`: runs a program at the version of tools/pinned. */
import { spawnSync } from 'node:child_process';
import { pinned } from './programs.ts';

const [name = '', ...args] = process.argv.slice(2);
const { status } = spawnSync('npx', ['--yes', pinned(name), ...args], { stdio: 'inherit' });
process.exitCode = status ?? 1;
