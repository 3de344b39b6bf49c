/** Synthesises every stage; a warning is an error. */
import { execFileSync } from 'node:child_process';
import { STAGE_FILES } from '../../lib/config/stage-files.ts';

for (const stage of STAGE_FILES.names()) {
  console.log(`Stage ${stage}`);
  execFileSync(
    'npx',
    ['cdk', 'synth', '--quiet', '--strict', '-c', `stage=${stage}`, '-o', `cdk.out/${stage}`],
    {
      stdio: 'inherit',
    },
  );
}
