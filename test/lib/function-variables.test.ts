/**
 * The environment variables, the memory and the time-out of each function, in the variant whose
 * settings differ from the defaults (`changed` in variants.ts). A wrong variable shows only in AWS:
 * an archive without snapshots, a limit that counts each container alone, metrics that no alarm
 * reads.
 */
import { expect, it } from '@jest/globals';
import { ENVIRONMENT, type FunctionName } from '../../lambda/io/platform/environment.ts';
import { propertiesOf, resources, template, variables, withoutHash } from './templates.ts';

const UPSTREAM = 'https://upstream.example.com';
const SNAPSHOTS = { SNAPSHOT_TABLE: { Ref: 'SnapshotsTableAE12316E' } };
/** How a function finds out who calls it: through CloudFront, with one of two public keys. */
const CALLERS = {
  FRONT_DOOR: 'on',
  PUBLIC_API_KEY_IDS: {
    'Fn::Join': ['', [{ Ref: 'PublicKey3193489A' }, ',', { Ref: 'PublicKey2Key09B29594' }]],
  },
};
/** The rate limit per caller, which almost every function applies. */
const LIMIT = {
  ...CALLERS,
  RATE_LIMIT_TABLE: { Ref: 'RateLimitsTable29A563C1' },
  REQUESTS_PER_MINUTE: '60',
  RATE_LIMIT_TIMEOUT_MS: '2000',
};
// What the functions of a group have in common.
const LIST = { ...LIMIT, ...SNAPSHOTS };
const BOOKS = { ...LIMIT, CLOB_URL: UPSTREAM };
const HISTORIES = { ...BOOKS, DATA_URL: UPSTREAM };
const UPSTREAMS = { GAMMA_URL: UPSTREAM, CLOB_URL: UPSTREAM, DATA_URL: UPSTREAM };
const STATUS = {
  SERVICE_VERSION: expect.any(String),
  REFRESH_INTERVAL_SECONDS: '120',
  SIMULATED: 'on',
};

const VARIABLES: Readonly<Record<FunctionName, Readonly<Record<string, unknown>>>> = {
  'refresh-snapshot': { ...SNAPSHOTS, ...UPSTREAMS, MAX_MARKETS: '10000', ARCHIVE: 'on' },
  'archive-snapshots': {
    ...SNAPSHOTS,
    GAMMA_URL: UPSTREAM,
    DATA_URL: UPSTREAM,
    ARCHIVE_BUCKET: 'archive-of-a-deleted-stack',
    SERVICE_VERSION: expect.any(String),
    UPSTREAM: 'simulated',
    STAGE: 'dev',
    NODE_OPTIONS: '--max-semi-space-size=2',
    MALLOC_MMAP_THRESHOLD_: '131072',
  },
  'list-markets': LIST,
  'search-markets': LIST,
  'get-market': { ...LIST, ...UPSTREAMS },
  'get-market-rules': { ...LIMIT, GAMMA_URL: UPSTREAM },
  'list-events': LIST,
  'get-event': LIST,
  'list-tags': LIST,
  'get-order-book': BOOKS,
  'list-order-books': BOOKS,
  'get-prices-history': HISTORIES,
  'get-prices-histories': HISTORIES,
  'get-status': { ...LIST, ...STATUS },
  'get-openapi': LIMIT,
  'get-llms-txt': { ...LIMIT, SIMULATED: 'on' },
  mcp: { ...LIST, ...UPSTREAMS, ...STATUS },
  'get-page': {
    ...CALLERS,
    ...SNAPSHOTS,
    PAGE_FILES: 'page.json',
    SITE_URL: 'https://markets.example.com',
    SIMULATED: 'on',
  },
  'check-service': { BASE_URL: 'https://markets.example.com', API_KEY: '' },
};

const FUNCTIONS = Object.keys(ENVIRONMENT) as FunctionName[];

it.each(FUNCTIONS)('%s has exactly these variables', (name) => {
  expect(variables(template('changed'), name)).toEqual({
    ...VARIABLES[name],
    METRICS_NAMESPACE: 'MarketDataProxy/dev',
  });
});

it.each(FUNCTIONS)('%s writes its metrics where the alarms of its stage read them', (name) => {
  const prod = template('prod');
  const alarms = propertiesOf(prod, 'AWS::CloudWatch::Alarm');
  const namespaces = alarms.map(({ Namespace }) => Namespace);
  expect(namespaces).toContain(variables(prod, name).METRICS_NAMESPACE);
});

it('each function has this memory and this time-out', () => {
  const functions = resources(template('changed'), 'AWS::Lambda::Function').map(
    ({ id, properties }) => [withoutHash(id), [properties.MemorySize, properties.Timeout]],
  );
  // In megabytes and seconds.
  expect(Object.fromEntries(functions)).toEqual({
    // A full run ends before the next one begins, two minutes later.
    RefresherFunction: [1_024, 118],
    ArchiverFunction: [2_560, 900],
    // Twice the memory that the check holds after two hours.
    CheckFunction: [256, 30],
    ReadListMarkets: [1_024, 10],
    ReadSearchMarkets: [1_024, 10],
    ReadGetMarket: [1_024, 10],
    ReadListEvents: [1_024, 10],
    ReadGetEvent: [1_024, 10],
    ReadListTags: [1_024, 10],
    ReadMcp: [1_024, 10],
    ReadGetMarketRules: [512, 10],
    ReadGetOrderBook: [512, 10],
    ReadGetPricesHistory: [512, 10],
    ReadGetPricesHistories: [512, 10],
    ReadListOrderBooks: [512, 10],
    ReadGetStatus: [512, 10],
    ReadGetOpenapi: [512, 10],
    ReadGetLlmsTxt: [512, 10],
    ReadGetPage: [512, 10],
  });
});
