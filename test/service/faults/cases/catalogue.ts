import { startBlackHole } from '../../../support/black-hole.ts';
import type { FaultBench } from '../support/bench.ts';
import { type FaultCase, failedCall, MANY, type Played } from '../support/fault-case.ts';

const PAGE = 'markets-keyset';
const SOME = [1, MANY] as const;
/** The function's time in which a catalogue that fails is given up after half a second (lambda/refresh/budget.ts). */
const SHORT = { runMs: 6_500 };
/** The same for a process that starts anew, whose first call takes longer: two and a half seconds. */
const SHORT_ANEW = { runMs: 8_500 };

/** A run of a process that starts anew, with the catalogue at an address where nothing is ever said. */
async function refreshFromBlackHole(bench: FaultBench, takes: boolean): Promise<Played> {
  const hole = await startBlackHole(takes);
  try {
    bench.changes = { ...SHORT_ANEW, environment: { GAMMA_URL: hole.url } };
    await bench.killRefresher();
    return { outcome: await bench.refresh() };
  } finally {
    await hole.close();
    bench.changes = {};
    await bench.killRefresher();
  }
}

function blackHole(fault: string, socket: string, takes: boolean): FaultCase {
  return {
    fault,
    scene: {
      does: `\`GAMMA_URL\` leads to a socket ${socket}; the function has 8.5 s`,
      play: (bench) => refreshFromBlackHole(bench, takes),
    },
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'timeout')],
    metrics: { 'UpstreamFailures gamma': SOME },
  };
}

/** The catalogue does not respond, or not as it should. */
export const CATALOGUE_CASES: readonly FaultCase[] = [
  {
    fault: 'A catalogue page fails once',
    upstream: [{ route: PAGE, kind: 'status', status: 500, times: 1, after: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'status', 500)],
    metrics: { 'UpstreamRetries gamma': 1, 'UpstreamFailures gamma': 1 },
  },
  {
    fault: 'A catalogue page fails three times',
    upstream: [{ route: PAGE, kind: 'status', status: 503, times: 3, after: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'status', 503)],
    metrics: { 'UpstreamRetries gamma': 3, 'UpstreamFailures gamma': 3 },
  },
  {
    fault: 'A catalogue page fails always',
    upstream: [{ route: PAGE, kind: 'status', status: 500 }],
    changes: SHORT,
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'status', 500)],
    metrics: { 'UpstreamRetries gamma': SOME },
  },
  {
    fault: 'Slow pages',
    upstream: [{ route: PAGE, kind: 'slow', ms: 400 }],
    run: 'published',
    readers: { new: {} },
    metrics: { RefreshDuration: [1_200, MANY] },
  },
  {
    fault: 'Pages too slow for the time of a run',
    upstream: [{ route: PAGE, kind: 'slow', ms: 1_500 }],
    changes: SHORT,
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'timeout')],
  },
  {
    fault: 'A page hangs',
    upstream: [{ route: PAGE, kind: 'hang' }],
    changes: SHORT,
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'timeout')],
  },
  {
    fault: 'The connection is reset before a response',
    upstream: [{ route: PAGE, kind: 'reset', times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'network')],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'The connection is reset during the body',
    upstream: [{ route: PAGE, kind: 'reset-body', times: 1, after: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'network')],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'The connection switches to another protocol in place of a response',
    upstream: [{ route: PAGE, kind: 'switch-protocol', times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'network')],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'Truncated JSON',
    upstream: [{ route: PAGE, kind: 'truncate', times: 1, after: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'not_json', 200)],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'HTML 403',
    upstream: [{ route: '*', kind: 'html', status: 403 }],
    changes: SHORT_ANEW,
    run: 'failed',
    readers: 'old',
    log: [failedCall(PAGE, 'status', 403)],
    metrics: { 'UpstreamBlocked gamma': SOME },
  },
  {
    fault: 'HTML 429 without Retry-After',
    upstream: [{ route: PAGE, kind: 'html', status: 429, times: 2 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'status', 429)],
    metrics: { 'UpstreamBlocked gamma': 2, 'UpstreamRetries gamma': 2 },
  },
  {
    fault: '429 with a Retry-After that the run has time for',
    upstream: [{ route: PAGE, kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'status', 429)],
    metrics: { 'UpstreamBlocked gamma': 1, RefreshDuration: [1_000, MANY] },
  },
  {
    fault: '429 with a Retry-After beyond the run',
    upstream: [{ route: PAGE, kind: 'status', status: 429, headers: { 'retry-after': '3600' } }],
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'status', 429)],
    metrics: { 'UpstreamBlocked gamma': 1, 'UpstreamRetries gamma': 0 },
  },
  {
    fault: 'Status 200 with an `error` body',
    upstream: [{ route: PAGE, kind: 'error-200', times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'error_body')],
    metrics: { 'UpstreamBlocked gamma': 1, 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'DNS failure of the catalogue',
    changes: { ...SHORT_ANEW, environment: { GAMMA_URL: 'http://no-such-host.invalid' } },
    run: 'failed',
    readers: 'prices',
    log: [
      {
        message: 'Upstream call failed',
        keys: { route: PAGE, failure: 'network', reason: 'no-such-host.invalid' },
      },
    ],
    metrics: { 'UpstreamFailures gamma': SOME },
  },
  blackHole(
    'A connection to the catalogue is taken, and nothing ever comes over it',
    'that nobody reads',
    true,
  ),
  blackHole('Connections to the catalogue are not even taken', 'whose queue is full', false),
];
