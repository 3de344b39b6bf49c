import { MAX_PAGE_BYTES } from '../../../../lambda/contract/upstreams.ts';
import { type FaultCase, failedCall, MANY } from '../support/fault-case.ts';

const PAGE = 'markets-keyset';

/** The catalogue lies about what it sends, or sends what nobody could want. */
export const LIE_CASES: readonly FaultCase[] = [
  {
    fault: 'A page that never ends',
    upstream: [{ route: PAGE, kind: 'endless' }],
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'too_large', 200)],
    metrics: { 'UpstreamRetries gamma': 0 },
    mostMb: MAX_PAGE_BYTES / 1_000_000,
  },
  {
    fault: 'A page of 30 MB',
    upstream: [{ route: PAGE, kind: 'huge', mb: 30 }],
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'too_large', 200)],
    metrics: { 'UpstreamRetries gamma': 0 },
  },
  {
    fault: 'A page that is nothing but brackets, 4,000,000 deep',
    upstream: [{ route: PAGE, kind: 'deep', levels: 4_000_000, times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'wrong_shape')],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'A page of 19 MB of tiny values',
    upstream: [{ route: PAGE, kind: 'dense', mb: 19 }],
    run: 'failed',
    readers: 'prices',
    log: [failedCall(PAGE, 'too_large', 200)],
    metrics: { 'UpstreamRetries gamma': 0 },
  },
  {
    fault: 'A page that is nearly JSON',
    upstream: [{ route: PAGE, kind: 'malformed', times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'not_json', 200)],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'Pages that call themselves HTML',
    upstream: [{ route: PAGE, kind: 'mislabelled' }],
    run: 'published',
    readers: { new: {} },
    metrics: { 'UpstreamFailures gamma': 0 },
  },
  {
    fault: 'A page that calls itself gzip and is not',
    upstream: [{ route: PAGE, kind: 'mislabelled', as: 'gzip', times: 1 }],
    run: 'published',
    readers: { new: {} },
    log: [failedCall(PAGE, 'network')],
    metrics: { 'UpstreamRetries gamma': 1 },
  },
  {
    fault: 'Questions of 20 KB',
    upstream: [{ route: PAGE, kind: 'broken-texts', form: 'long', kb: 20, share: 0.2 }],
    run: 'published',
    readers: { new: { markets: 'fewer' } },
    metrics: { MarketsSkipped: [20, MANY] },
  },
];
