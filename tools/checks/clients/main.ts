/**
 * `npm run test:clients`: programs that others have written against `npm start`, as they are.
 *
 * - py-clob-client, with nothing but its host changed
 * - the client that openapi-python-client makes of the served document, without a warning; every endpoint is called
 * - the conformance suite and the inspector of the Model Context Protocol
 * - the examples of our own client's README in Bun and Deno
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pythonTool, pythonWith } from '../python-tool.ts';
import { runInto } from '../run-program.ts';
import { startService } from '../running-service.ts';
import { protocolChecks } from './protocol.ts';
import { runtimeChecks } from './runtimes.ts';

const MARKETS = 100;
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-clients-'));
const service = await startService(MARKETS);
let failed = false;
try {
  const ownClient = await pythonWith('py-clob-client');
  await step('py-clob-client', ownClient, [join(here, 'upstream_client.py'), service.url]);
  const generator = await pythonTool('openapi-python-client');
  await step('openapi-python-client', generator, [
    'generate',
    ...['--url', `${service.url}/openapi.json`],
    ...['--output-path', join(folder, 'market_data')],
    ...['--meta', 'none', '--fail-on-warning'],
  ]);
  const generated = [join(here, 'generated_client.py'), folder, service.url];
  await step('every endpoint', await pythonWith('openapi-python-client'), generated);
  const checks = [...protocolChecks(service.url), ...runtimeChecks(folder, service.url)];
  for (const { name, program, args } of checks) await step(name, program, args);
} finally {
  service.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Runs one of them; what it says is of interest only when it fails, but for how much it did. */
async function step(name: string, program: string, args: readonly string[]): Promise<void> {
  const file = join(folder, `${name.replaceAll(' ', '-')}.txt`);
  // The generator formats what it makes with a program beside itself.
  const path = [dirname(program), process.env.PATH].join(delimiter);
  const status = await runInto(file, program, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const said = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (status === 0) {
    const closing = said.split('\n').at(-1) ?? '';
    console.log(`${name}: ${/\w/.test(closing) ? closing : 'passed'}`);
    return;
  }
  failed = true;
  console.log(`${said}\n${name}: failed with ${status}`);
}
