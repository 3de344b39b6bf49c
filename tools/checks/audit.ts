/**
 * `npm run check:audit`: known vulnerabilities in what is deployed. Where the registry does not serve audits,
 * nothing can be judged, and the check says so; on GitHub, whose registry does, that is a failure too.
 */
import { spawnSync } from 'node:child_process';

interface Report {
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
  readonly message?: string;
}

/** Not what the packages depend on: the emulator and the simulator run on a laptop, the page is in a bundle. */
const AUDIT = ['audit', '--omit=dev', '--workspaces=false'];

const { stdout } = spawnSync('npm', [...AUDIT, '--json'], { encoding: 'utf8' });
const report: Report = JSON.parse(stdout);
const found = report.metadata?.vulnerabilities.total;

if (found === undefined) {
  console.log(`npm audit: not judged, the registry does not serve audits (${report.message})`);
  if (process.env.GITHUB_ACTIONS) process.exitCode = 1;
} else {
  console.log(`npm audit: ${found} vulnerabilities in production dependencies`);
  if (found > 0) {
    spawnSync('npm', AUDIT, { stdio: 'inherit' });
    process.exitCode = 1;
  }
}
