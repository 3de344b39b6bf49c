/** `npm run test:clients`: programs of other projects against the local service. See USAGE. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../arguments.ts';
import { fuzz } from '../fuzz.ts';
import { pythonPrograms } from '../programs.ts';
import { startRunningService } from '../running-service.ts';
import { apiDocument, GENERATOR, openapiFetch, pythonClient, YAML } from './api-programs.ts';
import { clientPackage } from './client-package.ts';
import { archiveQueries, csvImports, DATA_FRAMES } from './data-frames.ts';
import { firstRelease, nextRelease } from './release-steps.ts';
import { Steps } from './steps.ts';

const USAGE = `Usage: npm run test:clients -- [--full] [--seed N]

Lets clients and programs of other projects read the local service. Then sends generated requests to it.
--full     10,000 generated requests or more
--seed N   other generated requests (default: 1)`;

/** The markets of the local service. */
const MARKETS = 100;

const chosen = readArguments(USAGE, { full: { type: 'boolean' }, seed: { type: 'string' } });
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-clients-'));
// Installations block this process, which serves requests later.
for (const packages of [[GENERATOR], [YAML], DATA_FRAMES]) pythonPrograms(...packages);
const service = await startRunningService(MARKETS, { keepFresh: true });
const steps = new Steps(folder, service.url);
try {
  await apiDocument(steps);
  await pythonClient(steps);
  await openapiFetch(steps);
  await clientPackage(steps);
  await firstRelease(steps);
  await nextRelease(steps);
  await archiveQueries(steps);
  await csvImports(steps);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = steps.failures === 0 && (await fuzz(chosen)) ? 0 : 1;
