import { MARKETS_DEFAULT, MARKETS_MOST, SEED_DEFAULT, V2_SHARE_DEFAULT } from 'polymarket-simulator';
import { REQUESTS_PER_MINUTE } from '../lambda/contract/constants.ts';
import { CHAOS_REFRESH_SECONDS, PORT_DEFAULT } from './options.ts';

export const HELP = `Market Data Proxy on this machine: synthesises the CDK app and runs what was synthesised.

  npm start -- [options]

  --port N                       port on 127.0.0.1, 0 for any free one (default ${PORT_DEFAULT})
  --stage NAME                   stage of the CDK app (default: the app's own)
  -c KEY=VALUE                   context of the CDK app, as cdk deploy takes it; may be repeated (-c edge=false: no front door)
  --refresh-every SECONDS        in place of the schedule's rate
  --chaos                        plays faults on the simulated upstream, for two or three minutes, refreshing every ${CHAOS_REFRESH_SECONDS} s
  --rate-limit N|off             requests a minute from one IP (default ${REQUESTS_PER_MINUTE})
  --verbose                      every line that the functions write, as it is

Where the data comes from:
  --upstream simulated|live      a simulator on this machine (default), or the real Polymarket
  --markets N                    markets of the simulator, 1 to ${MARKETS_MOST} (default ${MARKETS_DEFAULT})
  --seed N                       another dataset of the same kind (default ${SEED_DEFAULT})
  --v2-share S                   share of them on Protocol V2, 0 to 1 (default ${V2_SHARE_DEFAULT})
  --upstream-latency MODE        none, or realistic: as slow as the real ones (default none)
  --recordings DIR               recorded markets, books and histories in place of generated ones
  --gamma-url URL --clob-url URL any other upstream
  --data-url URL                 its Data API (without it: the URL of the CLOB)

When the first refresh has ended it prints "Ready: http://127.0.0.1:<port>". Ctrl-C stops it.
Nothing outlives it: the tables are in memory, so that the next start reads the upstream anew, histories included.
`;
