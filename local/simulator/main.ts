import { OptionError, startSimulator } from './index.ts';
import { parseFlags, SIMULATOR_FLAGS, SIMULATOR_HELP, simulatorOptions, wholeOption } from './options.ts';
import { SIMULATED_ROUTES } from './routes.ts';

/** `npm run upstream`: the simulated Gamma, CLOB and Data API as a program. */

const HELP = `Simulated Polymarket upstream: Gamma, CLOB and Data API on one port. All data is simulated.

  npm run upstream -- [options]

  --port N                  port on 127.0.0.1, 0 for any free port (default 4000)
${SIMULATOR_HELP}  --help                    print this text

GET /_control describes how to inject faults while it runs.
`;

async function run(): Promise<void> {
  const { help, port = '4000', ...values } = parseFlags(process.argv.slice(2), SIMULATOR_FLAGS);
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const options = { ...simulatorOptions(values), port: wholeOption('port', port, 0, 65_535) };
  const { url, description } = await startSimulator(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  console.log(`Simulated upstream: ${description}.
Routes: ${SIMULATED_ROUTES.map(({ method, path }) => `${method} ${path}`).join(', ')}
Faults and counts: ${url}/_control
Ready: ${url}`);
}

try {
  await run();
} catch (error) {
  // Only an error of the program itself needs its stack.
  console.error(error instanceof OptionError ? error.message : error);
  process.exitCode = error instanceof OptionError ? 2 : 1;
}
