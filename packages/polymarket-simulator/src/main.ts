import { OptionError } from './options.ts';
import { HELP, readProgramOptions } from './program-options.ts';
import { UPSTREAMS } from './route.ts';
import { ROUTES } from './routes.ts';
import { startUpstream } from './server.ts';

/** `npm run upstream`: the simulated Gamma, CLOB and Data API as a program of its own. */

async function run(): Promise<void> {
  const options = readProgramOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(HELP);
    return;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  const upstream = await startUpstream(options);
  console.log(`Simulated upstream: ${upstream.description}, latency ${options.latency ?? 'none'}.`);
  for (const name of UPSTREAMS) {
    const paths = ROUTES.filter((route) => route.upstream === name).map((route) => route.path);
    console.log(`${name}: ${paths.join(', ')}`);
  }
  console.log('Faults and state: GET /_control, GET /_control/faults');
  console.log(`Ready: ${upstream.url}`);
}

try {
  await run();
} catch (error) {
  // Anything but a mistake of the person at the keyboard is ours, and its stack is needed.
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = 1;
}
