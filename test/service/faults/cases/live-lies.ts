import type { FaultSpec } from 'polymarket-simulator';
import { MAX_LIVE_BYTES } from '../../../../lambda/contract/upstreams.ts';
import type { FaultBench } from '../support/bench.ts';
import {
  type FaultCase,
  failedCall,
  type LiveSeen,
  type LogLine,
  type Played,
} from '../support/fault-case.ts';
import { LIES, type Lie } from './lie-kinds.ts';

const ROUTES = [
  'book',
  'books',
  'prices-history',
  'batch-prices-history',
  'data-prices-history',
] as const satisfies readonly FaultSpec['route'][];
const LIVE_MB = MAX_LIVE_BYTES / 1_000_000;

async function askLive(bench: FaultBench): Promise<Played> {
  const token = (await bench.read()).json[0].clobTokenId;
  const under = await bench.readLive(token);
  await bench.clear();
  return { outcome: undefined, live: { under, without: await bench.readLive(token) } };
}

function live(
  fault: string,
  upstream: readonly FaultSpec[],
  seen: LiveSeen,
  log: readonly LogLine[] = [],
): FaultCase {
  return {
    fault,
    upstream,
    scene: { does: 'no run; callers ask for books and a price history', play: askLive },
    run: 'none',
    readers: { live: seen },
    log,
    ...(upstream.some(({ kind }) => kind === 'endless') ? { mostMb: LIVE_MB } : {}),
    recovery: seen.books === 200 ? 'Nothing to recover' : 'The next response of the upstream',
  };
}

const onAllRoutes = (fault: Lie['fault']): FaultSpec[] => ROUTES.map((route) => ({ route, ...fault }));

/** Whoever sends megabytes may take longer than a caller waits: then it is the time that was too long. */
function failed(route: string, failure: string): LogLine {
  if (failure !== 'too_large') return failedCall(route, failure);
  return { message: 'Upstream call failed', keys: { route } };
}

/** What is read through for a caller lies. */
export const LIVE_LIE_CASES: readonly FaultCase[] = [
  ...LIES.map(({ what, fault, failure }) =>
    live(
      `Books and price histories ${what}`,
      onAllRoutes(fault),
      { books: 502, histories: 502 },
      ['book', 'books', 'prices-history'].map((route) => failed(route, failure)),
    ),
  ),
  live(
    'Books and price histories of nonsense types',
    onAllRoutes({ kind: 'nonsense' }),
    { books: 502, histories: 502 },
    [failedCall('book', 'wrong_shape'), failedCall('books', 'wrong_shape')],
  ),
  live(
    'Connections that switch to another protocol in place of books and price histories',
    onAllRoutes({ kind: 'switch-protocol' }),
    { books: 502, histories: 502 },
    ['book', 'books', 'prices-history'].map((route) => failed(route, 'network')),
  ),
  live('Books and price histories that call themselves HTML', onAllRoutes({ kind: 'mislabelled' }), {
    books: 200,
    histories: 200,
  }),
  live(
    'Books of other tokens than those that were asked for',
    (['book', 'books'] as const).map((route) => ({ route, kind: 'wrong-token' })),
    { books: 502, histories: 200 },
    [failedCall('book', 'wrong_shape'), failedCall('books', 'wrong_shape')],
  ),
];
