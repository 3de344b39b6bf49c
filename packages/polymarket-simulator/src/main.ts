import { parseArgs } from 'node:util';
import {
  latencyOption,
  MARKETS_DEFAULT,
  MARKETS_MOST,
  marketsOption,
  OptionError,
  portOption,
  SEED_DEFAULT,
  seedOption,
  V2_SHARE_DEFAULT,
  v2ShareOption,
} from './options.ts';
import { UPSTREAMS } from './route.ts';
import { ROUTES } from './routes.ts';
import { startUpstream, type UpstreamOptions } from './server.ts';

/** `npm run upstream`: the simulated Gamma, CLOB and Data API as a program of its own. */

const PORT_DEFAULT = 4_000;

const HELP = `Simulated Polymarket upstream: Gamma, CLOB and Data API v2 on one port, with their quirks. The data is simulated.

  npm run upstream -- [options]

  --port N                  port on 127.0.0.1, 0 for any free one (default ${PORT_DEFAULT})
  --markets N               size of the generated universe, 1 to ${MARKETS_MOST} (default ${MARKETS_DEFAULT})
  --seed N                  another universe of the same kind (default ${SEED_DEFAULT})
  --v2-share S              share of the markets on Protocol V2, 0 to 1 (default ${V2_SHARE_DEFAULT})
  --upstream-latency MODE   none, or realistic: as slow as the real ones (default none)
  --recordings DIR          serve recorded markets, books and histories in place of generated ones
  --help                    this text

Faults can be injected while it runs: GET /_control and GET /_control/faults show how.
`;

function readOptions(args: readonly string[]): UpstreamOptions | 'help' {
  const { values } = parse(args);
  if (values.help === true) return 'help';
  if (
    values.recordings !== undefined &&
    (values.markets ?? values.seed ?? values['v2-share']) !== undefined
  ) {
    throw new OptionError(
      '--markets, --seed and --v2-share are for generated markets: leave them out with --recordings.',
    );
  }
  return {
    port: values.port === undefined ? PORT_DEFAULT : portOption(values.port),
    ...(values.markets === undefined ? {} : { markets: marketsOption(values.markets) }),
    ...(values.seed === undefined ? {} : { seed: seedOption(values.seed) }),
    ...(values['v2-share'] === undefined ? {} : { v2Share: v2ShareOption(values['v2-share']) }),
    ...(values['upstream-latency'] === undefined
      ? {}
      : { latency: latencyOption(values['upstream-latency']) }),
    ...(values.recordings === undefined ? {} : { recordings: values.recordings }),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        markets: text,
        seed: text,
        'v2-share': text,
        'upstream-latency': text,
        recordings: text,
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    // parseArgs says what is wrong in its first sentence; the rest is advice on quoting.
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.? ?\n|\. /);
    throw new OptionError(`${sentence}. Run with --help for the options.`);
  }
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
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
