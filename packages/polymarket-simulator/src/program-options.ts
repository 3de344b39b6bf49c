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
import type { UpstreamOptions } from './server.ts';

const PORT_DEFAULT = 4_000;

export const HELP = `Simulated Polymarket upstream: Gamma, CLOB and Data API v2 on one port, with their quirks. The data is simulated.

  npm run upstream -- [options]

  --port N                  port on 127.0.0.1, 0 for any free one (default ${PORT_DEFAULT})
  --markets N               size of the generated dataset, 1 to ${MARKETS_MOST} (default ${MARKETS_DEFAULT})
  --seed N                  another dataset of the same kind (default ${SEED_DEFAULT})
  --v2-share S              share of the markets on Protocol V2, 0 to 1 (default ${V2_SHARE_DEFAULT})
  --upstream-latency MODE   none, or realistic: as slow as the real ones (default none)
  --recordings DIR          serve recorded markets, books and histories in place of generated ones
  --help                    this text

Faults can be injected while it runs: GET /_control and GET /_control/faults show how.
`;

/** @throws OptionError with a sentence for the person */
export function readProgramOptions(args: readonly string[]): UpstreamOptions | 'help' {
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
