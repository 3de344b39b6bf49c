/** Synthesises every stage; a warning is an error. */
import { execFileSync } from 'node:child_process';
import { STAGES } from '../../lib/config/stages.ts';

for (const stage of Object.keys(STAGES)) {
  console.log(`Stage ${stage}`);
  execFileSync(
    'npx',
    ['cdk', 'synth', '--quiet', '--strict', '-c', `stage=${stage}`, '-o', `cdk.out/${stage}`],
    {
      stdio: 'inherit',
    },
  );
}
